import { statSync } from 'node:fs';
import { join } from 'node:path';
import { completeAsset } from '@/lib/assets';
import { assetKey, assetPrefix } from '@/lib/core/storage-keys';
import { playsFromStart } from '@/lib/core/mp4-outline';
import type { MediaRules } from '@/lib/core/media-rules';
import { videoSpecOf, type FileSpec } from '@/lib/core/video-spec';
import { fastStartPlan } from '../ffmpeg/vod-args';
import { acceptFile, type Acceptance } from '../vod/accept-file';
import { hashFile } from '../vod/hash-file';
import { filesBelow, makeHls } from '../vod/make-hls';
import { makePoster } from '../vod/make-pictures';
import { FfmpegFailed, runFfmpegJob } from '../vod/run-ffmpeg-job';
import { bringSource, type Source } from './bring-source';
import { TaskFailure, type TaskHandler, type TaskJob } from './task-job';

/** Shares of the progress: the file is here, it was looked at, it can be downloaded, it can be played. */
const [here, known, downloadable, playable] = [0.3, 0.45, 0.6, 0.9];

/**
 * Makes an asset out of a file that was uploaded, is to be downloaded, or was recorded: every file of it is put into
 * the storage under a name of its own, so that doing a step twice is harmless, and the asset is ready when all are there
 * (specification §2.3). Nothing is encoded.
 */
export const importAssetJob: TaskHandler = async (job) => {
  const { ctx, task } = job;
  const { outputAssetId: assetId } = task;
  if (assetId === null) throw new TaskFailure('the asset is gone');
  const source = await bringSource(job, assetId, (share) => job.report(share * here));
  const silent = source.kind === 'recorded' ? 'fine' : 'refused';
  const ready = await finishAsset(job, { assetId, sourceKey: source.key, rules: { silent }, source });
  await completeAsset(ctx, { ...task, outputAssetId: assetId }, ready.asset, {
    import: ready.output,
  });
  if (source.uploadedKey !== null) await ctx.storage.delete(source.uploadedKey);
};

export interface FinishInput {
  readonly assetId: string;
  readonly sourceKey: string;
  readonly rules: MediaRules;
  readonly source: Pick<Source, 'hash' | 'hasHls' | 'name'>;
}

/** Everything that an asset needs beside its source, made and stored; what is left is to say that it is ready. */
export async function finishAsset(job: TaskJob, { assetId, sourceKey, rules, source }: FinishInput) {
  const { ctx, signal, scratch, report } = job;
  return ctx.storage.withFile(sourceKey, async (path) => {
    const found = await look(path, rules, signal);
    const spec = videoSpecOf(found.report);
    const hash = source.hash ?? (await hashFile(path, signal));
    report(known);
    const ffmpeg = { signal, duration: spec.duration };
    try {
      const posterPath = join(scratch, 'poster.jpg');
      await makePoster(path, posterPath, spec, ffmpeg);
      await ctx.storage.putFile(assetKey(assetId, 'poster.jpg'), posterPath, { contentType: 'image/jpeg' });
      const videoKey = await downloadableKey(job, { assetId, sourceKey, path, found, spec });
      report(downloadable);
      if (!source.hasHls) await publishHls(job, assetId, path, spec);
      report(playable);
      const bytes = statSync(path).size;
      const output = outputOf({ assetId, videoKey, hash, bytes, spec, name: source.name });
      await ctx.storage.put(
        assetKey(assetId, 'metadata.json'),
        Buffer.from(JSON.stringify(output.assetSpec)),
      );
      const storedBytes = await storedBelow(job, assetId);
      return { asset: { sourceKey, videoKey, bytes, hash, videoSpec: spec, storedBytes }, output };
    } catch (error) {
      if (error instanceof FfmpegFailed)
        throw new TaskFailure(`the video cannot be processed: ${error.message}`);
      throw error;
    }
  });
}

async function look(path: string, rules: MediaRules, signal: AbortSignal) {
  const acceptance: Acceptance = await acceptFile(path, rules, signal);
  if (!acceptance.accepted) throw new TaskFailure(acceptance.reason);
  return acceptance;
}

interface Looked {
  readonly assetId: string;
  readonly sourceKey: string;
  readonly path: string;
  readonly found: Extract<Acceptance, { accepted: true }>;
  readonly spec: FileSpec;
}

/** The source itself where it plays from its beginning, otherwise a copy that does. The source is never changed. */
async function downloadableKey(
  { ctx, signal, scratch }: TaskJob,
  { assetId, sourceKey, path, found, spec }: Looked,
): Promise<string> {
  if (playsFromStart(found.outline)) return sourceKey;
  const output = join(scratch, 'video.mp4');
  await runFfmpegJob(fastStartPlan(path, output), { signal, duration: spec.duration });
  const made = await acceptFile(output, { silent: 'fine' }, signal);
  if (!made.accepted) throw new FfmpegFailed(made.reason);
  const key = assetKey(assetId, 'video.mp4');
  await ctx.storage.putFile(key, output, { contentType: 'video/mp4' });
  return key;
}

const contentTypes: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  mp4: 'video/mp4',
  m4s: 'video/iso.segment',
};

async function publishHls(job: TaskJob, assetId: string, path: string, spec: FileSpec): Promise<void> {
  const { ctx, signal, scratch, report } = job;
  const folder = join(scratch, 'hls');
  await makeHls(path, folder, spec, {
    signal,
    duration: spec.duration,
    onProgress: ({ seconds }) =>
      report(downloadable + ((playable - downloadable) * seconds) / Math.max(spec.duration, 1)),
  });
  for (const file of await filesBelow(folder)) {
    signal.throwIfAborted();
    const contentType = contentTypes[file.split('.').at(-1) ?? ''];
    await ctx.storage.putFile(
      assetKey(assetId, `hls/${file}`),
      join(folder, file),
      contentType ? { contentType } : {},
    );
  }
}

async function storedBelow({ ctx }: TaskJob, assetId: string): Promise<number> {
  let bytes = 0;
  for await (const stored of ctx.storage.list(assetPrefix(assetId))) bytes += stored.bytes;
  return bytes;
}

/** As specification §2.4 shows it; the paths are keys in the storage. */
function outputOf(facts: {
  readonly assetId: string;
  readonly videoKey: string;
  readonly hash: { hash: string; algorithm: string }[];
  readonly bytes: number;
  readonly spec: FileSpec;
  readonly name: string;
}) {
  const { assetId, videoKey, hash, bytes, spec, name } = facts;
  return {
    videoFilePath: videoKey,
    metadataFilePath: assetKey(assetId, 'metadata.json'),
    assetSpec: { hash, name, size: bytes, type: 'video', videoSpec: spec },
  };
}
