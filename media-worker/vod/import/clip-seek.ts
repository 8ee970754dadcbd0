import { applyEditList } from '@/lib/core/media/presented-ranges';
import { MovieError, withFile } from '@/media-worker/vod/index/byte-source';
import { type MovieTrack, readMovie } from '@/media-worker/vod/index/read-movie';

/**
 * In files with B-frames, ffmpeg seeks to 3/23 s before the given position, so a little more is added to the decode time of the
 * keyframe.
 */
const SEEK_MARGIN_SECONDS = 0.14;

/**
 * Finds the position to pass to `ffmpeg -ss` so that it starts at the last keyframe presented before a clip. ffmpeg compares the
 * position with decode times: after a long frame, a later keyframe may be decoded before the start of the clip and presented
 * after its end.
 * @param startSeconds start of the clip, in seconds from the beginning of the file
 * @returns seconds, at most `startSeconds`; `startSeconds` itself if the edit list has several ranges, or the tables of the MP4
 * cannot be read
 */
export async function findClipSeek(path: string, startSeconds: number): Promise<number> {
  try {
    return await withFile(path, async (file) => {
      const { tracks, timescale } = await readMovie(file);
      const video = tracks.find(({ handler, samples }) => handler === 'vide' && samples.count > 0);
      return video ? Math.min(startSeconds, findSeekSeconds(video, timescale, startSeconds)) : startSeconds;
    });
  } catch (error) {
    if (error instanceof MovieError) return startSeconds;
    throw error;
  }
}

function findSeekSeconds(
  { edits, samples, timescale }: MovieTrack,
  movieTimescale: number,
  startSeconds: number,
): number {
  const bounds = { mediaStart: samples.pts(0), mediaEnd: Infinity };
  const ranges = applyEditList(edits, { timescale, movieTimescale, ...bounds });
  const [range] = ranges ?? [];
  if (!range || ranges?.length !== 1) return startSeconds;
  const presentationSecondsOf = (ticks: number) => range.startSeconds + (ticks - range.fromTicks) / timescale;
  let seekSeconds = startSeconds;
  for (let sample = 0; sample < samples.count; sample++) {
    if (samples.key[sample] !== 1) continue;
    if (presentationSecondsOf(samples.pts(sample)) > startSeconds) break;
    seekSeconds = presentationSecondsOf(samples.dts[sample] ?? 0) + SEEK_MARGIN_SECONDS;
  }
  return Math.max(0, seekSeconds);
}
