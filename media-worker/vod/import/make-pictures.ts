import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatStoryboardCues, layOutStoryboard, pictureTimesOf } from '@/lib/core/media/storyboard';
import type { FileSpec } from '@/lib/core/media/video-spec';
import { planHeldFrame, planPoster, planStoryboard } from '@/media-worker/media/ffmpeg/vod-args';
import { createOutputError, runFfmpegJob, type FfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { writeKeyframes } from '@/media-worker/vod/index/keyframes-file';
import type { IndexedFile } from '@/media-worker/vod/index/open-segment';
import { nullIfDamaged } from '@/media-worker/vod/index/indexed-reads';
import { writeRange } from '@/media-worker/vod/index/write-range';
import { readHiddenLeadSeconds } from './movie-box';

/** The poster shows the frame at a tenth of the duration, but not later than this, in seconds. */
const LATEST_POSTER_SECONDS = 60;
/** Duration of the part of the video from which a poster is made. */
const POSTER_RANGE_SECONDS = 1;

/** Source of a poster: the index of the asset, or its MP4. */
export interface PosterSource {
  readonly index: IndexedFile | null;
  /** Path of the MP4. */
  readonly path: string;
}

/**
 * Creates the poster of an asset. With an index, only the frames around the poster are read, and the poster shows a
 * frame that viewers see: ffmpeg alone does not always find it, because it ignores an edit without a duration.
 * @throws FfmpegFailed if no frame can be decoded; FfmpegKilled; StorageError `full`
 */
export async function makePoster(
  { index, path: input }: PosterSource,
  path: string,
  spec: FileSpec,
  job: FfmpegJob,
): Promise<void> {
  const hasPoster = async () => ((await stat(path).catch(() => null))?.size ?? 0) > 0;
  const posterTime = Math.min(spec.duration / 10, LATEST_POSTER_SECONDS);
  // A very short video may have no frame at that time.
  for (const seconds of [posterTime, 0]) {
    if (index) await makeIndexedPoster(index, path, seconds, job);
    if (await hasPoster()) return;
    await runFfmpegJob(planPoster(input, path, seconds), { ...job, duration: 0 });
    if (await hasPoster()) return;
  }
  // A file may show one earlier frame from its first edit to the end; ffmpeg skips such frames.
  await runFfmpegJob(planHeldFrame(input, path, await readHiddenLeadSeconds(input)), { ...job, duration: 0 });
  if (await hasPoster()) return;
  throw await createOutputError(dirname(path), 'no frame of the video can be decoded');
}

/** Creates a poster from the index. Creates no file if the frames around that time cannot be read exactly. */
async function makeIndexedPoster(
  index: IndexedFile,
  path: string,
  seconds: number,
  job: FfmpegJob,
): Promise<void> {
  const part = `${path}.mp4`;
  const range = { from: seconds, to: seconds + POSTER_RANGE_SECONDS };
  const { signal } = job;
  const offset = await writeRange(index, range, { path: part, signal }).catch(nullIfDamaged);
  if (offset !== null) await runFfmpegJob(planPoster(part, path, offset), { ...job, duration: 0 });
  await rm(part, { force: true });
}

/** Sources of the keyframes of a storyboard: the index of the asset, or its whole MP4. */
export interface StoryboardSource {
  readonly index: IndexedFile | null;
  /** Path of the MP4, downloaded if the storage is remote. */
  readonly withFile: (use: (path: string) => Promise<void>) => Promise<void>;
}

/**
 * Creates a storyboard in `folder`: images `storyboard-<n>.jpg` with many small frames, and `storyboard.vtt`, which
 * maps each interval to a region of an image.
 * @throws FfmpegFailed if no frame can be decoded; FfmpegKilled; StorageError `full`
 */
export async function makeStoryboard(
  { index, withFile }: StoryboardSource,
  folder: string,
  spec: FileSpec,
  job: FfmpegJob,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const video = spec.tracks.find((track) => track.type === 'video');
  const aspect = video && 'width' in video ? video.width / Math.max(1, video.height) : 16 / 9;
  const layout = layOutStoryboard(spec.duration, aspect);
  const keyframes = join(folder, 'keyframes.mp4');
  const makeSheets = async (path: string): Promise<void> => {
    await runFfmpegJob(planStoryboard(path, folder, layout), job);
  };
  const times = pictureTimesOf(layout, spec.duration);
  const isIndexed = index && (await writeKeyframes(index, times, keyframes).catch(nullIfDamaged));
  await (isIndexed ? makeSheets(keyframes) : withFile(makeSheets));
  await rm(keyframes, { force: true });
  const sheets = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).length;
  if (sheets === 0) throw await createOutputError(folder, 'no frame of the storyboard could be made');
  await writeFile(join(folder, 'storyboard.vtt'), formatStoryboardCues(layout, spec.duration, sheets));
}
