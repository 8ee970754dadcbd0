import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { completeAsset, importRules } from '@/lib/domain/assets';
import { deleteFiles } from '@/lib/domain/backup';
import { convertFileChapters } from '@/lib/core/assets/file-chapters';
import { assetKey, assetPrefix } from '@/lib/core/storage-keys';
import { type MediaRules, isFragmented } from '@/lib/core/media/media-rules';
import { playedTrackIndexes, playsFirstTracks, videoEndOf } from '@/lib/core/media/media-probe';
import { createVideoSpec, withDuration, withPlayedSeconds, type FileSpec } from '@/lib/core/media/video-spec';
import { planFastStart } from '@/media-worker/media/ffmpeg/vod-args';
import { type AcceptedFile, acceptFile, hashFile } from './accept-file';
import { checkCopiedTracks } from './check-copied-tracks';
import { type PlayedFile, convertSource, needsConversionToMp4 } from './convert-source';
import { makePoster } from './make-pictures';
import { createOutputError, FfmpegFailed, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { NeedsConversion } from '@/media-worker/vod/index/needs-conversion';
import { prepareSource, type Source } from './prepare-source';
import { publishHls } from './publish-hls';
import { sha256Of } from './publish-index';
import { openReadableIndex } from './readable-index';
import { readEmbeddedTexts } from './read-embedded-texts';
import { settleAll } from './settle-all';
import { TaskFailure, type TaskHandler, type TaskJob } from '@/media-worker/vod/tasks/task-job';

/** Progress of the task, 0 to 1, after each step. After a conversion, the later steps fill the remaining range. */
const progressAfter = { source: 0.3, inspection: 0.45, files: 0.9, conversion: 0.9 };

/**
 * Creates an asset from an uploaded, downloaded or recorded file. The file is encoded only if players cannot use its
 * tracks unchanged. Output files have fixed keys, so a step can run twice. The asset becomes ready when all files
 * are stored.
 */
export const importAssetJob: TaskHandler = async (job) => {
  const { ctx, task } = job;
  const { outputAssetId: assetId } = task;
  if (assetId === null) throw new TaskFailure('the asset is gone');
  const source = await prepareSource(job, assetId, (share) => job.report(share * progressAfter.source));
  const rules: MediaRules = source.kind === 'recorded' ? { isOwnFile: true } : importRules(ctx, task);
  const baseProgress = source.kind === 'downloaded' ? progressAfter.source : 0;
  const input = { assetId, sourceKey: source.key, rules, source, baseProgress };
  const finishedAsset = await finishAsset(job, input);
  await completeAsset(ctx, { ...task, outputAssetId: assetId }, finishedAsset.asset, {
    import: finishedAsset.output,
  });
  // During a backup the file is kept; `deleteImportedUploads` removes it, also after a fault at this point.
  if (source.uploadedKey !== null) await deleteFiles(ctx, source.uploadedKey);
};

export interface FinishInput {
  readonly assetId: string;
  readonly sourceKey: string;
  readonly rules: MediaRules;
  readonly source: Pick<Source, 'hash' | 'hasHls' | 'name'>;
  /** Progress of the task before this step. */
  readonly baseProgress: number;
}

/**
 * Creates and stores every file of an asset except its source; the caller then marks the asset as ready. An
 * accepted file whose index cannot be laid out is encoded, whatever the rules say about other files.
 */
export async function finishAsset(job: TaskJob, input: FinishInput) {
  try {
    return await createAssetFiles(job, input);
  } catch (error) {
    if (!(error instanceof NeedsConversion)) throw error;
    const { assetId, rules } = input;
    if (rules.encodeAll) throw new TaskFailure(`the video cannot be processed: ${error.message}`);
    job.ctx.log.info({ assetId, reason: error.message }, 'asset is encoded');
    return createAssetFiles(job, { ...input, rules: { accept: 'any', encodeAll: true } });
  }
}

/** @throws NeedsConversion if the asset can be created only by encoding all tracks of the file */
async function createAssetFiles(job: TaskJob, input: FinishInput) {
  const { assetId, sourceKey, rules, source, baseProgress } = input;
  const { ctx, signal } = job;
  return ctx.storage.withFile(sourceKey, async (path) => {
    const acceptedFile = await acceptOrFail(path, rules, signal);
    await checkCopiedTracks(path, acceptedFile);
    const reportFraction = (fraction: number) =>
      job.report(baseProgress + (progressAfter.conversion - baseProgress) * fraction);
    const convertedFile = needsConversionToMp4(acceptedFile)
      ? await convertSource(job, path, acceptedFile, reportFraction)
      : null;
    const finishingJob = convertedFile ? withProgressFrom(job, progressAfter.conversion) : job;
    const file: PlayedFile = convertedFile ?? { ...acceptedFile, path };
    const spec = createVideoSpec(file.report);
    finishingJob.report(progressAfter.inspection);
    try {
      const published = convertedFile
        ? publishMp4(finishingJob, assetId, convertedFile.path)
        : publishDownloadable(finishingJob, { assetId, sourceKey, file, spec });
      // The index describes the first tracks of a file. If others are played, it describes the copy with only the played tracks.
      const mediaPath = playsFirstTracks(file.report)
        ? Promise.resolve(file.path)
        : published.then((playable) => playable.path);
      const hashes = source.hash ? Promise.resolve(source.hash) : hashFile(path, signal);
      // These steps run in parallel because they are limited by the disk, not the CPU.
      const playedSecondsPromise = source.hasHls
        ? Promise.resolve(null)
        : publishHls(finishingJob, assetId, {
            spec,
            path: mediaPath,
            file: mediaPath.then((playable) => (playable === path ? basename(sourceKey) : videoFileName)),
            contentHash: hashes.then(sha256Of),
          });
      const [hash, { key: videoKey }, , texts, playedSeconds] = await settleAll([
        hashes,
        published,
        publishPoster(finishingJob, assetId, { playedSecondsPromise, published, path: mediaPath, spec }),
        readEmbeddedTexts(finishingJob, path, acceptedFile),
        playedSecondsPromise,
      ]);
      finishingJob.report(progressAfter.files);
      const bytes = statSync(path).size;
      const sourceSpec = createVideoSpec(acceptedFile.report, acceptedFile.container.format);
      const finalSpec = convertedFile ? withDuration(sourceSpec, spec.duration, bytes) : sourceSpec;
      const videoSpec = withPlayedSeconds(finalSpec, playedSeconds);
      const output = taskOutputOf({ assetId, videoKey, hash, bytes, spec: videoSpec, name: source.name });
      await ctx.storage.put(
        assetKey(assetId, 'metadata.json'),
        Buffer.from(JSON.stringify(output.assetSpec)),
      );
      const storedBytes = await sumStoredBytes(job, assetId);
      const chapters = convertFileChapters(acceptedFile.report.chapters ?? [], spec.duration);
      const asset = { sourceKey, videoKey, bytes, hash, videoSpec, chapters, texts, storedBytes };
      return { asset, output };
    } catch (error) {
      if (error instanceof FfmpegFailed)
        throw new TaskFailure(`the video cannot be processed: ${error.message}`);
      throw error;
    }
  });
}

/** The same job, whose progress 0 to 1 is reported as `startFraction` to 1. */
export const withProgressFrom = (job: TaskJob, startFraction: number): TaskJob => ({
  ...job,
  report: (progress) => job.report(startFraction + (1 - startFraction) * progress),
});

/** @throws TaskFailure */
async function acceptOrFail(path: string, rules: MediaRules, signal: AbortSignal): Promise<AcceptedFile> {
  const acceptance = await acceptFile(path, rules, signal);
  if (!acceptance.accepted) throw new TaskFailure(acceptance.reason);
  return acceptance;
}

interface DownloadableInput {
  readonly assetId: string;
  readonly sourceKey: string;
  readonly file: PlayedFile;
  readonly spec: FileSpec;
}

/**
 * Provides the MP4 for downloads and players: the source if it plays unchanged, otherwise a remuxed copy. The
 * source is never changed.
 */
async function publishDownloadable(
  job: TaskJob,
  { assetId, sourceKey, file, spec }: DownloadableInput,
): Promise<PublishedFile> {
  const { path, handling } = file;
  if (handling.kind === 'play') return { key: sourceKey, path };
  const { signal, scratch } = job;
  const output = join(scratch, 'video.mp4');
  // Remove the file of an earlier run instead of overwriting it: the storage may hold a hard link to it.
  await rm(output, { force: true });
  const playedTracks = playedTrackIndexes(file.report);
  const videoEnd = isFragmented(file.outline) ? null : videoEndOf(file.report);
  await runFfmpegJob(planFastStart({ input: path, playedTracks, videoEnd }, output), {
    signal,
    durationSeconds: spec.duration,
  });
  const acceptance = await acceptFile(output, { isOwnFile: true }, signal);
  if (!acceptance.accepted) throw await createOutputError(scratch, acceptance.reason);
  return publishMp4(job, assetId, output);
}

/** Name of the MP4 that is made from a file. */
const videoFileName = 'video.mp4';

interface PublishedFile {
  /** Storage key of the file. */
  readonly key: string;
  readonly path: string;
}

async function publishMp4({ ctx }: TaskJob, assetId: string, path: string): Promise<PublishedFile> {
  const key = assetKey(assetId, videoFileName);
  await ctx.storage.putFile(key, path, { contentType: 'video/mp4', keep: true });
  return { key, path };
}

interface PosterInput {
  /** Playable seconds; resolves when the index is stored, or to null if the asset gets no index. */
  readonly playedSecondsPromise: Promise<number | null>;
  /** Resolves when the file that the index describes is stored. */
  readonly published: Promise<unknown>;
  readonly path: Promise<string>;
  readonly spec: FileSpec;
}

/** Stores the poster, if the asset has video. */
async function publishPoster(
  { ctx, signal, scratch }: TaskJob,
  assetId: string,
  { playedSecondsPromise, published, path, spec }: PosterInput,
): Promise<void> {
  if (!spec.tracks.some(({ type }) => type === 'video')) return;
  const poster = join(scratch, 'poster.jpg');
  const [playedSeconds] = await Promise.all([playedSecondsPromise, published]);
  const index = playedSeconds === null ? null : await openReadableIndex(ctx, assetId);
  await makePoster({ index, videoPath: await path }, poster, spec, {
    signal,
    durationSeconds: spec.duration,
  });
  await ctx.storage.putFile(assetKey(assetId, 'poster.jpg'), poster, { contentType: 'image/jpeg' });
}

async function sumStoredBytes({ ctx }: TaskJob, assetId: string): Promise<number> {
  let bytes = 0;
  for await (const object of ctx.storage.list(assetPrefix(assetId))) bytes += object.bytes;
  return bytes;
}

/** The task output of an import. Paths are storage keys. */
function taskOutputOf(result: {
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
