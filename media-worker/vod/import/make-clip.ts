import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  completeAsset,
  readOutputAsset,
  readClipWork,
  readInputAsset,
  type ClipWork,
} from '@/lib/domain/assets';
import {
  type ProbeReport,
  playedTrackIndexes,
  findPlayedTracks,
  videoDelayOf,
} from '@/lib/core/media/media-probe';
import { selectClipSegments, reachesClipEnd } from '@/lib/core/sessions/clip-range';
import { createRecordingTimeline } from '@/lib/core/sessions/recording-timeline';
import { assetKey } from '@/lib/core/storage-keys';
import { FfmpegFailed, createOutputError, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { planCut } from '@/media-worker/media/ffmpeg/vod-args';
import { planMp4 } from '@/media-worker/recording/recording-mp4';
import {
  fileBytesOf,
  readStoredRecording,
  hasOnlyAddedAudio,
} from '@/media-worker/recording/stored-recording';
import { TaskFailure, TaskReleased, type TaskHandler, type TaskJob } from '@/media-worker/vod/tasks/task-job';
import { nullIfDamaged } from '@/media-worker/vod/index/indexed-reads';
import { writeRange } from '@/media-worker/vod/index/write-range';
import { limitEdits, type ShownRange } from '@/media-worker/media/cmaf/limit-edits';
import { acceptFile } from './accept-file';
import { findClipSeek } from './clip-seek';
import { finishAsset, withProgressFrom } from './import-asset';
import { withMovieBox } from './movie-box';
import { openReadableIndex } from './readable-index';
import { reserveAssetStorage } from './reserve-asset-storage';

/** Task progress after the clip is cut. */
const CUT_PROGRESS = 0.4;
/** How long the task of a live clip is retried, after the end of the clip, while its last segments are not stored. */
const MAX_WAIT_MS = 60_000;
/** Shortest delay before the task looks for these segments again. */
const MIN_RETRY_DELAY_SECONDS = 2;

/** Creates an asset from a part of a recording or of another asset. Nothing is encoded. */
export const clipJob: TaskHandler = async (job) => {
  const { ctx, task, scratch } = job;
  const { outputAssetId: assetId } = task;
  if (assetId === null) throw new TaskFailure('the clip is gone');
  const { name } = await readOutputAsset(ctx, task, assetId);
  const sourceKey = assetKey(assetId, 'source.mp4');
  if (!(await ctx.storage.head(sourceKey))) {
    const clipWork = await readClipWork(ctx, task);
    if (!clipWork) throw new TaskFailure('the recording was deleted');
    const clipPath = join(scratch, 'clip.mp4');
    await cutClip(job, clipWork, clipPath);
    await reserveAssetStorage(job, assetId, (await stat(clipPath)).size);
    await ctx.storage.putFile(sourceKey, clipPath, { contentType: 'video/mp4' });
  }
  const source = { hash: null, hasHls: false, name };
  const rules = { isOwnFile: true } as const;
  const input = { assetId, sourceKey, rules, source, baseProgress: 0 };
  const finishedAsset = await finishAsset(withProgressFrom(job, CUT_PROGRESS), input);
  await completeAsset(ctx, { ...task, outputAssetId: assetId }, finishedAsset.asset, {
    clip: { asset: finishedAsset.output },
  });
};

/**
 * Writes the clip to `outputPath`.
 * @throws TaskFailure if ffmpeg cannot cut the range: a retry would fail at the same frames
 */
async function cutClip(job: TaskJob, work: ClipWork, outputPath: string): Promise<void> {
  try {
    await (work.sessionId === null ? cutAsset(job, work, outputPath) : cutRecording(job, work, outputPath));
  } catch (error) {
    if (error instanceof FfmpegFailed) throw new TaskFailure(`this part cannot be clipped: ${error.message}`);
    throw error;
  }
}

/**
 * Copies the segments of the clip into one file and cuts it.
 * @throws TaskReleased while the session is live and its last segments are not stored
 */
async function cutRecording(job: TaskJob, { sessionId, range, growing }: ClipWork, outputPath: string) {
  const { ctx, signal, scratch } = job;
  const recording = await readStoredRecording(ctx.storage, sessionId ?? '');
  const { unreadable } = recording;
  if (unreadable.length > 0)
    ctx.log.warn({ sessionId, periods: unreadable }, 'unreadable parts of a recording left out');
  const sourceSegments = createRecordingTimeline(recording.renditions).rows.map(({ source }) => source);
  const waitedMs = ctx.clock.now().getTime() - range.endMs;
  if (growing && waitedMs < MAX_WAIT_MS && !reachesClipEnd(sourceSegments, range))
    throw new TaskReleased({ afterSeconds: Math.max(MIN_RETRY_DELAY_SECONDS, -waitedMs / 1_000) });
  const cutPlan = selectClipSegments(sourceSegments, range);
  if (!cutPlan) throw new TaskFailure('nothing was recorded in this time');
  const storedSegments = cutPlan.segments.map((segment) => ({
    segment,
    bytes: fileBytesOf(recording, segment),
  }));
  const hasAddedAudio = hasOnlyAddedAudio(recording, cutPlan.segments);
  const mp4 = await planMp4(ctx.storage, sessionId ?? '', storedSegments, { hasAddedAudio, signal });
  const joinedPath = join(scratch, 'segments.mp4');
  const body = Readable.from(joinBuffers(mp4.body(signal)), { objectMode: false });
  await pipeline(body, createWriteStream(joinedPath), { signal });
  // `offsetSeconds` counts from the first video frame of the segments, but a file starts with its first audio frame.
  await cutFile(job, {
    inputPath: joinedPath,
    outputPath,
    startSeconds: cutPlan.offsetSeconds,
    durationSeconds: cutPlan.durationSeconds,
    timeOrigin: 'first-video-frame',
  });
  await rm(joinedPath, { force: true });
}

async function* joinBuffers(chunks: AsyncIterable<readonly Buffer[]>): AsyncGenerator<Buffer> {
  // Concatenation copies the bytes, because the buffers are reused while the file is written.
  for await (const buffers of chunks) yield Buffer.concat(buffers);
}

/**
 * How much earlier than requested a clip of an asset starts. Requests give whole milliseconds, frame times are fractions: without
 * this tolerance, a requested time that was rounded up would miss the frame that it means.
 */
const ROUNDING_MS = 1;

/** Cuts the range with the index of the asset, or from the whole file if its index cannot be used. */
async function cutAsset(job: TaskJob, { range }: ClipWork, outputPath: string): Promise<void> {
  const { ctx, scratch, signal } = job;
  const input = await readInputAsset(ctx, job.task);
  if (!input) throw new TaskFailure('the asset to clip is gone');
  const startSeconds = Math.max(0, range.startMs - ROUNDING_MS) / 1_000;
  const endSeconds = range.endMs / 1_000;
  const partPath = join(scratch, 'range.mp4');
  const cutPath = (path: string, pathStartSeconds: number) =>
    cutFile(job, {
      inputPath: path,
      outputPath,
      startSeconds: pathStartSeconds,
      durationSeconds: endSeconds - startSeconds,
      timeOrigin: 'file-start',
    });
  const index = await openReadableIndex(ctx, input.filesId);
  const offsetSeconds =
    index &&
    (await writeRange(index, { startSeconds, endSeconds }, { path: partPath, signal }).catch(nullIfDamaged));
  await (offsetSeconds === null
    ? ctx.storage.withFile(input.videoKey, (path) => cutPath(path, startSeconds))
    : cutPath(partPath, offsetSeconds));
  await rm(partPath, { force: true });
}

interface FileCut {
  readonly inputPath: string;
  readonly outputPath: string;
  /** Start of the cut, seconds after `timeOrigin`. */
  readonly startSeconds: number;
  /** What `startSeconds` counts from. Audio may start before the first video frame. */
  readonly timeOrigin: 'first-video-frame' | 'file-start';
  readonly durationSeconds: number;
}

/**
 * Copies a range of an MP4 to a new MP4: from the last keyframe before the range, with the frames outside the range hidden by
 * the edit list.
 */
async function cutFile(
  { signal, scratch, report }: TaskJob,
  { inputPath, outputPath, timeOrigin, durationSeconds, ...cutArgs }: FileCut,
): Promise<void> {
  const acceptance = await acceptFile(inputPath, { isOwnFile: true }, signal);
  if (!acceptance.accepted) throw new TaskFailure(acceptance.reason);
  const videoDelaySeconds = videoDelayOf(acceptance.report);
  const startSeconds = cutArgs.startSeconds + (timeOrigin === 'first-video-frame' ? videoDelaySeconds : 0);
  const startsBeforeVideo = startSeconds < videoDelaySeconds;
  const seekSeconds = startsBeforeVideo ? startSeconds : await findClipSeek(inputPath, startSeconds);
  const playedTracks = playedTracksIn(acceptance.report, startSeconds + durationSeconds);
  const range = {
    startSeconds: seekSeconds,
    durationSeconds: startSeconds - seekSeconds + durationSeconds,
    startsBeforeVideo,
  };
  await runFfmpegJob(planCut({ input: inputPath, playedTracks }, outputPath, range), {
    signal,
    durationSeconds,
    onProgress: (progress) => report(CUT_PROGRESS * Math.min(1, progress.seconds / durationSeconds)),
  });
  const result = await acceptFile(outputPath, { isOwnFile: true }, signal);
  if (!result.accepted) throw await createOutputError(scratch, result.reason);
  await limitToRange(outputPath, { startSeconds: startSeconds - seekSeconds, durationSeconds });
}

/**
 * The ffprobe indexes of the tracks to copy. Video that starts only after the end of the range is left out, because a track without
 * frames is invalid.
 */
function playedTracksIn(report: ProbeReport, endSeconds: number): number[] {
  const { audio } = findPlayedTracks(report);
  const isAudioOnly = audio?.index !== undefined && endSeconds <= videoDelayOf(report);
  return isAudioOnly ? [audio.index ?? 0] : playedTrackIndexes(report);
}

/**
 * Hides frames outside the range with the edit list: ffmpeg copies from the keyframe before the range, and a few more frames
 * after its end.
 */
async function limitToRange(path: string, range: ShownRange): Promise<void> {
  await withMovieBox(path, 'r+', async (moov, file, moovStart) => {
    limitEdits(moov, range);
    await file.write(moov, 0, moov.length, moovStart);
  });
}
