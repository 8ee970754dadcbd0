import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { completeAsset } from '@/lib/assets';
import { deleteFiles } from '@/lib/backup';
import { chaptersOfFile } from '@/lib/core/assets/chapters';
import { assetKey, assetPrefix } from '@/lib/core/storage-keys';
import { type MediaRules, playsFromStart } from '@/lib/core/media/media-rules';
import { displayMatrix, playedTracks, playsFirstTracks } from '@/lib/core/media/media-probe';
import { videoSpecOf, type FileSpec } from '@/lib/core/media/video-spec';
import { fastStartPlan } from '../ffmpeg/vod-args';
import { type Acceptance, acceptFile, hashFile } from './accept-file';
import { filesBelow, makeHls, type HlsSource } from './make-hls';
import { makePoster } from './make-pictures';
import { badOutput, FfmpegFailed, runFfmpegJob } from '../ffmpeg/run-ffmpeg-job';
import { prepareSource, type Source } from './prepare-source';
import { TaskFailure, type TaskHandler, type TaskJob } from '@/media-worker/tasks/task-job';

/** Task progress after each step. */
const progressAfter = { source: 0.3, inspection: 0.45, files: 0.9 };

/**
 * Creates an asset from an uploaded, downloaded or recorded file, without encoding. Output files have fixed keys, so a
 * step can run twice. The asset becomes ready when all are stored.
 */
export const importAssetJob: TaskHandler = async (job) => {
  const { ctx, task } = job;
  const { outputAssetId: assetId } = task;
  if (assetId === null) throw new TaskFailure('the asset is gone');
  const source = await prepareSource(job, assetId, (share) => job.report(share * progressAfter.source));
  const rules: MediaRules = source.kind === 'recorded' ? { recorded: true } : {};
  const ready = await finishAsset(job, { assetId, sourceKey: source.key, rules, source });
  await completeAsset(ctx, { ...task, outputAssetId: assetId }, ready.asset, {
    import: ready.output,
  });
  // During a backup it stays; the daily search for files without an owner removes it.
  if (source.uploadedKey !== null) await deleteFiles(ctx, source.uploadedKey);
};

export interface FinishInput {
  readonly assetId: string;
  readonly sourceKey: string;
  readonly rules: MediaRules;
  readonly source: Pick<Source, 'hash' | 'hasHls' | 'name'>;
}

/** Creates and stores every file of an asset except its source. The caller then marks the asset as ready. */
export async function finishAsset(job: TaskJob, { assetId, sourceKey, rules, source }: FinishInput) {
  const { ctx, signal, report } = job;
  return ctx.storage.withFile(sourceKey, async (path) => {
    const found = await inspect(path, rules, signal);
    const spec = videoSpecOf(found.report);
    report(progressAfter.inspection);
    try {
      const downloadable = publishDownloadable(job, { assetId, sourceKey, path, found, spec });
      // If the file's first tracks are not the ones to play, read the copy that contains only those.
      const media = playsFirstTracks(found.report)
        ? Promise.resolve(path)
        : downloadable.then((one) => one.path);
      // These run in parallel because they are limited by the disk, not the processor.
      const [hash, { key: videoKey }] = await settleAll([
        source.hash ?? hashFile(path, signal),
        downloadable,
        publishPoster(job, assetId, media, spec),
        source.hasHls ? null : publishHls(job, assetId, media, { spec, matrix: displayMatrix(found.report) }),
      ]);
      report(progressAfter.files);
      const bytes = statSync(path).size;
      const output = outputOf({ assetId, videoKey, hash, bytes, spec, name: source.name });
      await ctx.storage.put(
        assetKey(assetId, 'metadata.json'),
        Buffer.from(JSON.stringify(output.assetSpec)),
      );
      const storedBytes = await storedBelow(job, assetId);
      const chapters = chaptersOfFile(found.report.chapters ?? [], spec.duration);
      return { asset: { sourceKey, videoKey, bytes, hash, videoSpec: spec, chapters, storedBytes }, output };
    } catch (error) {
      if (error instanceof FfmpegFailed)
        throw new TaskFailure(`the video cannot be processed: ${error.message}`);
      throw error;
    }
  });
}

async function inspect(path: string, rules: MediaRules, signal: AbortSignal) {
  const acceptance: Acceptance = await acceptFile(path, rules, signal);
  if (!acceptance.accepted) throw new TaskFailure(acceptance.reason);
  return acceptance;
}

interface Inspection {
  readonly assetId: string;
  readonly sourceKey: string;
  readonly path: string;
  readonly found: Extract<Acceptance, { accepted: true }>;
  readonly spec: FileSpec;
}

/**
 * Provides the MP4 for downloads and players: the source if its index comes first and its first tracks are the ones to
 * play, otherwise a remuxed copy. The source is never changed.
 */
async function publishDownloadable(
  { ctx, signal, scratch }: TaskJob,
  { assetId, sourceKey, path, found, spec }: Inspection,
): Promise<{ readonly key: string; readonly path: string }> {
  if (playsFromStart(found.outline) && playsFirstTracks(found.report)) return { key: sourceKey, path };
  const output = join(scratch, 'video.mp4');
  const { video, audio } = playedTracks(found.report);
  // Remove the file of an earlier run instead of overwriting it: the storage may hold a hard link to it.
  await rm(output, { force: true });
  const played = [video, audio].flatMap((track) => (track?.index === undefined ? [] : [track.index]));
  await runFfmpegJob(fastStartPlan(path, output, played), { signal, duration: spec.duration });
  const made = await acceptFile(output, { recorded: true }, signal);
  if (!made.accepted) throw await badOutput(scratch, made.reason);
  const key = assetKey(assetId, 'video.mp4');
  await ctx.storage.putFile(key, output, { contentType: 'video/mp4', keep: true });
  return { key, path: output };
}

/** The disk writes several files in parallel nearly as fast as one. */
const parallelPuts = 8;

const contentTypes: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  mp4: 'video/mp4',
  m4s: 'video/iso.segment',
};

async function publishHls(
  job: TaskJob,
  assetId: string,
  path: Promise<string>,
  hls: HlsSource,
): Promise<void> {
  const { duration } = hls.spec;
  const { inspection, files: stored } = progressAfter;
  const { ctx, signal, scratch, report } = job;
  const folder = join(scratch, 'hls');
  await makeHls(await path, folder, hls, {
    signal,
    duration,
    onProgress: ({ seconds }) =>
      report(inspection + ((stored - inspection) * seconds) / Math.max(duration, 1)),
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
}

async function publishPoster(
  { ctx, signal, scratch }: TaskJob,
  assetId: string,
  path: Promise<string>,
  spec: FileSpec,
): Promise<void> {
  if (!spec.tracks.some(({ type }) => type === 'video')) return;
  const poster = join(scratch, 'poster.jpg');
  await makePoster(await path, poster, spec, { signal, duration: spec.duration });
  await ctx.storage.putFile(assetKey(assetId, 'poster.jpg'), poster, { contentType: 'image/jpeg' });
}

/** Waits for all, even if one failed, so that no step writes to a folder that is being removed. */
async function settleAll<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

async function storedBelow({ ctx }: TaskJob, assetId: string): Promise<number> {
  let bytes = 0;
  for await (const stored of ctx.storage.list(assetPrefix(assetId))) bytes += stored.bytes;
  return bytes;
}

/** The task output of an import. Paths are storage keys. */
function outputOf(result: {
  readonly assetId: string;
  readonly videoKey: string;
  readonly hash: { hash: string; algorithm: string }[];
  readonly bytes: number;
  readonly spec: FileSpec;
  readonly name: string;
}) {
  const { assetId, videoKey, hash, bytes, spec, name } = result;
  return {
    videoFilePath: videoKey,
    metadataFilePath: assetKey(assetId, 'metadata.json'),
    assetSpec: { hash, name, size: bytes, type: 'video', videoSpec: spec },
  };
}
