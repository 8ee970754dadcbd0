import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { storyboardCues, storyboardLayout } from '@/lib/core/media/storyboard';
import type { FileSpec } from '@/lib/core/media/video-spec';
import { posterPlan, storyboardPlan } from '../ffmpeg/vod-args';
import { badOutput, runFfmpegJob, type FfmpegJob } from '@/media-worker/ffmpeg/run-ffmpeg-job';

/** A picture from a tenth into the video, but not from long after its beginning. */
const latestPoster = 60;

/** @throws FfmpegFailed when not even one frame can be decoded */
export async function makePoster(input: string, path: string, spec: FileSpec, job: FfmpegJob): Promise<void> {
  const wanted = Math.min(spec.duration / 10, latestPoster);
  // Right at the end of a short video there may be no frame any more.
  for (const seconds of [wanted, 0]) {
    await runFfmpegJob(posterPlan(input, path, seconds), { ...job, duration: 0 });
    if ((await stat(path).catch(() => null))?.size) return;
  }
  throw await badOutput(dirname(path), 'no frame of the video can be decoded');
}

/**
 * Pictures of the timeline in `folder`: sheets `storyboard-<n>.jpg`, and `storyboard.vtt` that says which part of which
 * sheet belongs to which seconds.
 * @throws FfmpegFailed
 */
export async function makeStoryboard(
  input: string,
  folder: string,
  spec: FileSpec,
  job: FfmpegJob,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const video = spec.tracks.find((track) => track.type === 'video');
  const aspect = video && 'width' in video ? video.width / Math.max(1, video.height) : 16 / 9;
  const layout = storyboardLayout(spec.duration, aspect);
  await runFfmpegJob(storyboardPlan(input, folder, layout), job);
  const sheets = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).length;
  if (sheets === 0) throw await badOutput(folder, 'no picture of the timeline could be made');
  await writeFile(join(folder, 'storyboard.vtt'), storyboardCues(layout, spec.duration, sheets));
}
