import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  completeAsset,
  readAssetForWork,
  readClipWork,
  readWorkInput,
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
import { lengthOf, readStoredRecording, containsAddedAudio } from '@/media-worker/recording/stored-recording';
import { TaskFailure, TaskReleased, type TaskHandler, type TaskJob } from '@/media-worker/vod/tasks/task-job';
import { nullIfDamaged } from '@/media-worker/vod/index/indexed-reads';
import { writeRange } from '@/media-worker/vod/index/write-range';
import { limitEdits } from '@/media-worker/media/cmaf/limit-edits';
import { acceptFile } from './accept-file';
import { findClipSeek } from './clip-seek';
import { finishAsset } from './import-asset';
import { withMovieBox } from './movie-box';
import { openReadableIndex } from './readable-index';
import { reserveAssetStorage } from './reserve-asset-storage';

/** Task progress after the clip is cut. */
const CUT_PROGRESS = 0.4;
/** How long a clip of a live stream waits, after its end, for segments that are not stored yet. */
const MAX_WAIT_MS = 60_000;
const RETRY_SECONDS = 2;

/** Creates an asset from a part of a recording or of another asset. Nothing is encoded. */
export const clipJob: TaskHandler = async (job) => {
  const { ctx, task, scratch } = job;
  const { outputAssetId: assetId } = task;
  if (assetId === null) throw new TaskFailure('the clip is gone');
  const { name } = await readAssetForWork(ctx, task, assetId);
  const key = assetKey(assetId, 'source.mp4');
  if (!(await ctx.storage.head(key))) {
    const work = await readClipWork(ctx, task);
    if (!work) throw new TaskFailure('the recording was deleted');
    const clip = join(scratch, 'clip.mp4');
    await cutClip(job, work, clip);
    await reserveAssetStorage(job, assetId, (await stat(clip)).size);
    await ctx.storage.putFile(key, clip, { contentType: 'video/mp4' });
  }
  const laterJob: TaskJob = {
    ...job,
    report: (progress) => job.report(CUT_PROGRESS + (1 - CUT_PROGRESS) * progress),
  };
  const source = { hash: null, hasHls: false, name };
  const rules = { isRecording: true } as const;
  const finishedAsset = await finishAsset(laterJob, {
    assetId,
    sourceKey: key,
    rules,
    source,
    baseProgress: 0,
  });
  await completeAsset(ctx, { ...task, outputAssetId: assetId }, finishedAsset.asset, {
    clip: { asset: finishedAsset.output },
  });
};

/** @throws TaskFailure if the range cannot be cut: a retry would find the same frames */
async function cutClip(job: TaskJob, work: ClipWork, output: string): Promise<void> {
  try {
    await (work.sessionId === null ? cutAsset(job, work, output) : cutRecording(job, work, output));
  } catch (error) {
    if (error instanceof FfmpegFailed) throw new TaskFailure(`this part cannot be clipped: ${error.message}`);
    throw error;
  }
}

/**
 * Copies the segments of the clip into one file and cuts it.
 * @throws TaskReleased while the session is live and its last segments are not stored
 */
async function cutRecording(job: TaskJob, { sessionId, range, growing }: ClipWork, output: string) {
  const { ctx, signal, scratch } = job;
  const recording = await readStoredRecording(ctx.storage, sessionId ?? '');
  const { unreadable } = recording;
  if (unreadable.length > 0)
    ctx.log.warn({ sessionId, periods: unreadable }, 'unreadable parts of a recording left out');
  const cells = createRecordingTimeline(recording.renditions).rows.map(({ source }) => source);
  const waitedMs = ctx.clock.now().getTime() - range.endMs;
  if (growing && waitedMs < MAX_WAIT_MS && !reachesClipEnd(cells, range))
    throw new TaskReleased({ afterSeconds: Math.max(RETRY_SECONDS, -waitedMs / 1_000) });
  const cutPlan = selectClipSegments(cells, range);
  if (!cutPlan) throw new TaskFailure('nothing was recorded in this time');
  const segments = cutPlan.cells.map((cell) => ({ cell, length: lengthOf(recording, cell) }));
  const hasAddedAudio = containsAddedAudio(recording, cutPlan.cells);
  const mp4 = await planMp4(ctx.storage, sessionId ?? '', segments, { hasAddedAudio, signal });
  const joinedFile = join(scratch, 'segments.mp4');
  const body = Readable.from(joinBuffers(mp4.body(signal)), { objectMode: false });
  await pipeline(body, createWriteStream(joinedFile), { signal });
  // Segments are timed from their first video frame, the file from its first audio frame.
  await cutFile(job, {
    input: joinedFile,
    output,
    start: cutPlan.offsetSeconds,
    seconds: cutPlan.seconds,
    from: 'video',
  });
  await rm(joinedFile, { force: true });
}

async function* joinBuffers(chunks: AsyncIterable<readonly Buffer[]>): AsyncGenerator<Buffer> {
  // Each piece is a copy, because its buffers are reused while the file is written.
  for await (const buffers of chunks) yield Buffer.concat(buffers);
}

/**
 * Tolerance for the start of a clip: wall-clock and frame times are rounded to a millisecond, and a frame exactly at
 * the start belongs to the clip.
 */
const ROUNDING_MS = 1;

async function cutAsset(job: TaskJob, { range }: ClipWork, output: string): Promise<void> {
  const { ctx, scratch, signal } = job;
  const input = await readWorkInput(ctx, job.task);
  if (!input) throw new TaskFailure('the asset to clip is gone');
  const start = Math.max(0, range.startMs - ROUNDING_MS) / 1_000;
  const end = range.endMs / 1_000;
  const part = join(scratch, 'range.mp4');
  const cut = (path: string, from: number) =>
    cutFile(job, { input: path, output, start: from, seconds: end - start, from: 'beginning' });
  const index = await openReadableIndex(ctx, input.filesId);
  const offset =
    index && (await writeRange(index, { from: start, to: end }, { path: part, signal }).catch(nullIfDamaged));
  await (offset === null
    ? ctx.storage.withFile(input.videoKey, (path) => cut(path, start))
    : cut(part, offset));
  await rm(part, { force: true });
}

interface FileCut {
  readonly input: string;
  readonly output: string;
  /** Start of the cut, seconds after `from`. */
  readonly start: number;
  /** The first frame of the video, or the beginning of the file, whose audio may start earlier. */
  readonly from: 'video' | 'beginning';
  readonly seconds: number;
}

async function cutFile(
  { signal, scratch, report }: TaskJob,
  { input, output, from, seconds, ...cutArgs }: FileCut,
): Promise<void> {
  const acceptance = await acceptFile(input, { isRecording: true }, signal);
  if (!acceptance.accepted) throw new TaskFailure(acceptance.reason);
  const delay = videoDelayOf(acceptance.report);
  const start = cutArgs.start + (from === 'video' ? delay : 0);
  const beforeVideo = start < delay;
  const seek = beforeVideo ? start : await findClipSeek(input, start);
  const playedTracks = playedTracksIn(acceptance.report, { start, seconds });
  const range = { start: seek, seconds: start - seek + seconds, beforeVideo };
  await runFfmpegJob(planCut({ input, playedTracks }, output, range), {
    signal,
    duration: seconds,
    onProgress: (progress) => report(CUT_PROGRESS * Math.min(1, progress.seconds / seconds)),
  });
  const result = await acceptFile(output, { isRecording: true }, signal);
  if (!result.accepted) throw await createOutputError(scratch, result.reason);
  await limitToRange(output, { from: start - seek, seconds });
}

/** The tracks of a range, without video that starts after it: a track without frames is invalid. */
function playedTracksIn(
  report: ProbeReport,
  { start, seconds }: { start: number; seconds: number },
): number[] {
  const { audio } = findPlayedTracks(report);
  const isAudioOnly = audio?.index !== undefined && start + seconds <= videoDelayOf(report);
  return isAudioOnly ? [audio.index ?? 0] : playedTrackIndexes(report);
}

/**
 * Hides frames outside the range with the edit list: ffmpeg copies from the position that it found, and a few whole
 * frames after the end.
 */
async function limitToRange(path: string, range: { from: number; seconds: number }): Promise<void> {
  await withMovieBox(path, 'r+', async (moov, file, start) => {
    limitEdits(moov, range);
    await file.write(moov, 0, moov.length, start);
  });
}
