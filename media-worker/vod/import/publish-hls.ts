import { join } from 'node:path';
import { assetKey, hlsPrefix } from '@/lib/core/storage-keys';
import type { TaskJob } from '@/media-worker/vod/tasks/task-job';
import { copyToHls, filesBelow, type HlsSource } from './copy-to-hls';
import { NeedsConversion } from '@/media-worker/vod/index/needs-conversion';
import { publishIndex } from './publish-index';
import { settleAll } from './settle-all';

/** The disk writes several files in parallel nearly as fast as one. */
const parallelPuts = 8;

const contentTypes: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  mp4: 'video/mp4',
  m4s: 'video/iso.segment',
};

interface PublishedHls extends HlsSource {
  /** Path of the played file on this machine. */
  readonly path: Promise<string>;
  /** Its name in the folder of the asset. */
  readonly file: Promise<string>;
  readonly contentHash: Promise<string>;
  /** A file whose index cannot be laid out may be converted instead of copied. */
  readonly convertible: boolean;
  /** Share of the copy that is complete. */
  readonly onCopied: (share: number) => void;
}

/**
 * HLS of an asset, made from the index of its file when it is watched; where that is not possible, a copy is stored.
 * @returns the seconds it plays
 * @throws NeedsConversion instead of a copy where the file may be converted
 */
export async function publishHls(job: TaskJob, assetId: string, hls: PublishedHls): Promise<number> {
  const { ctx, signal, scratch } = job;
  const { dataDir } = ctx.settings;
  const [path, file, contentHash] = await Promise.all([hls.path, hls.file, hls.contentHash]);
  const indexResult = await publishIndex({ storage: ctx.storage, dataDir, scratch, signal }, assetId, {
    ...{ path, file, contentHash, spec: hls.spec },
  });
  if ('seconds' in indexResult) {
    // Remove files of an aborted run.
    await ctx.storage.deletePrefix(hlsPrefix(assetId));
    return indexResult.seconds;
  }
  if (hls.convertible) throw new NeedsConversion(indexResult.refusal);
  ctx.log.info({ assetId, reason: indexResult.refusal }, 'asset without an index');
  return publishCopy(job, assetId, path, hls);
}

async function publishCopy(
  job: TaskJob,
  assetId: string,
  path: string,
  hls: Omit<PublishedHls, 'path'>,
): Promise<number> {
  const { duration } = hls.spec;
  const { ctx, signal, scratch } = job;
  const folder = join(scratch, 'hls');
  const seconds = await copyToHls(path, folder, hls, {
    signal,
    duration,
    onProgress: (progress) => hls.onCopied(Math.min(1, progress.seconds / Math.max(duration, 1))),
  });
  const files = await filesBelow(folder);
  for (let first = 0; first < files.length; first += parallelPuts) {
    signal.throwIfAborted();
    await settleAll(
      files.slice(first, first + parallelPuts).map((file) => {
        const contentType = contentTypes[file.split('.').at(-1) ?? ''];
        const key = assetKey(assetId, `hls/${file}`);
        return ctx.storage.putFile(key, join(folder, file), contentType ? { contentType } : {});
      }),
    );
  }
  return seconds;
}
