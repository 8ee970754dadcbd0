import { createWriteStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
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
import { placesOf, videoDelayOf } from '@/lib/core/media/media-probe';
import { clipCut, coversClip } from '@/lib/core/recordings/clip-range';
import { recordingTimeline } from '@/lib/core/recordings/recording-timeline';
import { assetKey } from '@/lib/core/storage-keys';
import { FfmpegFailed, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { cutPlan } from '@/media-worker/media/ffmpeg/vod-args';
import { planMp4 } from '@/media-worker/recording/recording-mp4';
import { lengthOf, readStoredRecording, soundWasAdded } from '@/media-worker/recording/stored-recording';
import { TaskFailure, TaskReleased, type TaskHandler, type TaskJob } from '@/media-worker/vod/tasks/task-job';
import { readLead } from '@/media-worker/media/cmaf/read-lead';
import { acceptFile, readOutline } from './accept-file';
import { finishAsset } from './import-asset';
import { takeRoom } from './take-room';

/** Task progress when the clip is cut. */
const cutDone = 0.4;
/** How long after its end a clip of a live stream waits for segments that are not stored yet. */
const maxWaitMs = 60_000;
const lookAgainSeconds = 2;

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
    await (work.sessionId === null ? cutAsset(job, work, clip) : cutRecording(job, work, clip));
    await takeRoom(job, assetId, (await stat(clip)).size);
    await ctx.storage.putFile(key, clip, { contentType: 'video/mp4' });
  }
  const lead = await ctx.storage.withFile(key, leadOf);
  const rest: TaskJob = { ...job, report: (progress) => job.report(cutDone + (1 - cutDone) * progress) };
  const source = { hash: null, hasHls: false, name };
  const rules = { recorded: true } as const;
  const ready = await finishAsset(rest, { assetId, sourceKey: key, rules, source, reached: 0, lead });
  await completeAsset(ctx, { ...task, outputAssetId: assetId }, ready.asset, {
    clip: { asset: ready.output },
  });
};

/**
 * Copies the segments of the clip into one file and cuts it.
 * @throws TaskReleased while the session is live and its last segments are not stored
 */
async function cutRecording(job: TaskJob, { sessionId, range, growing }: ClipWork, output: string) {
  const { ctx, signal, scratch } = job;
  const stored = await readStoredRecording(ctx.storage, sessionId ?? '');
  const cells = recordingTimeline(stored.renditions).rows.map(({ source }) => source);
  const waited = ctx.clock.now().getTime() - range.endMs;
  if (growing && waited < maxWaitMs && !coversClip(cells, range))
    throw new TaskReleased({ afterSeconds: Math.max(lookAgainSeconds, -waited / 1_000) });
  const cut = clipCut(cells, range);
  if (!cut) throw new TaskFailure('nothing was recorded in this time');
  const segments = cut.cells.map((cell) => ({ cell, length: lengthOf(stored, cell) }));
  const soundAdded = soundWasAdded(stored, cut.cells);
  const mp4 = await planMp4(ctx.storage, sessionId ?? '', segments, { soundAdded, signal });
  const joined = join(scratch, 'segments.mp4');
  const body = Readable.from(flat(mp4.body(signal)), { objectMode: false });
  await pipeline(body, createWriteStream(joined), { signal });
  // Segments are counted from their first picture, the file from its first sound.
  await cutFile(job, { input: joined, output, start: cut.offset, seconds: cut.seconds, from: 'picture' });
  await rm(joined, { force: true });
}

async function* flat(chunks: AsyncIterable<readonly Buffer[]>): AsyncGenerator<Buffer> {
  // Copied, because the buffers are used again while the file is written.
  for await (const buffers of chunks) yield Buffer.concat(buffers);
}

/** Wall clocks and frame times are rounded to a millisecond: the frame at exactly the start counts. */
const roundingMs = 1;

async function cutAsset(job: TaskJob, { range }: ClipWork, output: string): Promise<void> {
  const input = await readWorkInput(job.ctx, job.task);
  if (!input) throw new TaskFailure('the asset to clip is gone');
  const start = Math.max(0, range.startMs - roundingMs) / 1_000;
  const seconds = range.endMs / 1_000 - start;
  await job.ctx.storage.withFile(input.videoKey, (path) =>
    cutFile(job, { input: path, output, start, seconds, from: 'beginning' }),
  );
}

interface FileCut {
  readonly input: string;
  readonly output: string;
  /** Seconds from there. */
  readonly start: number;
  readonly from: 'picture' | 'beginning';
  readonly seconds: number;
}

async function cutFile(
  { signal, report }: TaskJob,
  { input, output, from, seconds, ...cut }: FileCut,
): Promise<void> {
  const found = await acceptFile(input, { recorded: true }, signal);
  if (!found.accepted) throw new TaskFailure(found.reason);
  const start = cut.start + (from === 'picture' ? videoDelayOf(found.report) : 0);
  const source = { input, played: placesOf(found.report) };
  await runFfmpegJob(cutPlan(source, output, { start, seconds }), {
    signal,
    duration: seconds,
    onProgress: (progress) => report(cutDone * Math.min(1, progress.seconds / seconds)),
  });
  // On a full disk ffmpeg exits with 0 and leaves a broken file: no fault of the clip.
  const made = await acceptFile(output, { recorded: true }, signal);
  if (!made.accepted) throw new FfmpegFailed(made.reason);
}

/** An index of an hour of video takes about two megabytes. */
const maxIndexBytes = 64 * 1024 ** 2;

async function leadOf(path: string): Promise<number> {
  const { boxes } = await readOutline(path);
  const moov = boxes.find(({ type }) => type === 'moov');
  if (!moov || moov.size > maxIndexBytes) throw new Error('A clip has an index of a known size');
  const file = await open(path, 'r');
  try {
    const index = Buffer.alloc(moov.size);
    await file.read(index, 0, moov.size, moov.start);
    return readLead(index);
  } finally {
    await file.close();
  }
}
