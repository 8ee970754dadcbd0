import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatStoryboardCues, layOutStoryboard, frameTimesOf } from '@/lib/core/media/storyboard';
import type { FileSpec } from '@/lib/core/media/video-spec';
import { planHeldFrame, planPoster, planStoryboard } from '@/media-worker/media/ffmpeg/vod-args';
import { createOutputError, runFfmpegJob, type FfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { writeKeyframes } from '@/media-worker/vod/index/keyframes-file';
import type { IndexedFile } from '@/media-worker/vod/index/open-segment';
import { nullIfDamaged } from '@/media-worker/vod/index/indexed-reads';
import { writeRange } from '@/media-worker/vod/index/write-range';
import { readHiddenLeadSeconds } from './movie-box';

/** Latest time of the poster's frame. It is at a tenth of the duration, or at this time if that is earlier. */
const MAX_POSTER_TIME_SECONDS = 60;
/** Duration of the part that is cut from the asset's file to make its poster. */
const POSTER_RANGE_SECONDS = 1;

/** Sources of a poster: the index of the asset, if it has one, and its MP4. */
export interface PosterSource {
  readonly index: IndexedFile | null;
  /** Path of the MP4. */
  readonly videoPath: string;
}

/**
 * Creates the poster of an asset, a JPEG. With an index, only the frames around the time of the poster are read. Without one,
 * ffmpeg reads the MP4, and may choose a frame that players do not show, because it ignores edits without a duration.
 * @param posterPath path of the JPEG
 * @throws FfmpegFailed if no frame can be decoded; FfmpegKilled; StorageError `full`
 */
export async function makePoster(
  { index, videoPath }: PosterSource,
  posterPath: string,
  spec: FileSpec,
  job: FfmpegJob,
): Promise<void> {
  const posterExists = async () => ((await stat(posterPath).catch(() => null))?.size ?? 0) > 0;
  const posterTime = Math.min(spec.duration / 10, MAX_POSTER_TIME_SECONDS);
  // A very short video may have no frame at that time.
  for (const seconds of [posterTime, 0]) {
    if (index) await makeIndexedPoster(index, posterPath, seconds, job);
    if (await posterExists()) return;
    await runFfmpegJob(planPoster(videoPath, posterPath, seconds), { ...job, durationSeconds: 0 });
    if (await posterExists()) return;
  }
  // If the edit list starts after the last frame, players show the last frame all the time, but ffmpeg outputs no frame.
  const leadSeconds = await readHiddenLeadSeconds(videoPath);
  await runFfmpegJob(planHeldFrame(videoPath, posterPath, leadSeconds), { ...job, durationSeconds: 0 });
  if (await posterExists()) return;
  throw await createOutputError(dirname(posterPath), 'no frame of the video can be decoded');
}

/** Creates the poster from the frames at `seconds`, found with the index; creates no file if `writeRange` returns null. */
async function makeIndexedPoster(
  index: IndexedFile,
  posterPath: string,
  seconds: number,
  job: FfmpegJob,
): Promise<void> {
  const clipPath = `${posterPath}.mp4`;
  const range = { startSeconds: seconds, endSeconds: seconds + POSTER_RANGE_SECONDS };
  const { signal } = job;
  const offsetSeconds = await writeRange(index, range, { path: clipPath, signal }).catch(nullIfDamaged);
  if (offsetSeconds !== null)
    await runFfmpegJob(planPoster(clipPath, posterPath, offsetSeconds), { ...job, durationSeconds: 0 });
  await rm(clipPath, { force: true });
}

/** Sources of the keyframes of a storyboard: the index of the asset, if it has one, and its MP4. */
export interface StoryboardSource {
  readonly index: IndexedFile | null;
  /** Calls `use` with the path of the MP4, which is downloaded first if the storage is remote. */
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
  const aspectRatio = video && 'width' in video ? video.width / Math.max(1, video.height) : 16 / 9;
  const layout = layOutStoryboard(spec.duration, aspectRatio);
  const keyframesPath = join(folder, 'keyframes.mp4');
  const makeSheets = async (path: string): Promise<void> => {
    await runFfmpegJob(planStoryboard(path, folder, layout), job);
  };
  const frameTimes = frameTimesOf(layout, spec.duration);
  const hasKeyframes = index && (await writeKeyframes(index, frameTimes, keyframesPath).catch(nullIfDamaged));
  await (hasKeyframes ? makeSheets(keyframesPath) : withFile(makeSheets));
  await rm(keyframesPath, { force: true });
  const sheetCount = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).length;
  if (sheetCount === 0) throw await createOutputError(folder, 'no frame of the storyboard could be made');
  await writeFile(join(folder, 'storyboard.vtt'), formatStoryboardCues(layout, spec.duration, sheetCount));
}
