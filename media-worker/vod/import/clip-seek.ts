import { applyEditList } from '@/lib/core/media/presented-ranges';
import { MovieError, withFile } from '@/media-worker/vod/index/byte-source';
import { type MovieTrack, readMovie } from '@/media-worker/vod/index/read-movie';

/**
 * ffmpeg seeks by decode times, and this much earlier in files with B-frames. After a long frame, the next
 * keyframe may be decoded before the start of a clip and shown after its end.
 */
const SEEK_MARGIN_SECONDS = 0.14;

/**
 * Finds the position at which ffmpeg has to seek in an MP4 to find the keyframe of a clip.
 * @param start start of the clip, in seconds from the beginning of the file
 * @returns seconds, at most `start`; `start` if the edit list has several ranges, or the tables of the MP4 cannot be
 * read
 */
export async function findClipSeek(path: string, start: number): Promise<number> {
  try {
    return await withFile(path, async (file) => {
      const { tracks, timescale } = await readMovie(file);
      const video = tracks.find(({ handler, samples }) => handler === 'vide' && samples.count > 0);
      return video ? Math.min(start, seekPosition(video, timescale, start)) : start;
    });
  } catch (error) {
    if (error instanceof MovieError) return start;
    throw error;
  }
}

function seekPosition(
  { edits, samples, timescale }: MovieTrack,
  movieTimescale: number,
  start: number,
): number {
  const bounds = { mediaStart: samples.pts(0), mediaEnd: Infinity };
  const ranges = applyEditList(edits, { timescale, movieTimescale, ...bounds });
  const [range] = ranges ?? [];
  if (!range || ranges?.length !== 1) return start;
  const shownAt = (ticks: number) => range.at + (ticks - range.from) / timescale;
  let seek = start;
  for (let sample = 0; sample < samples.count; sample++) {
    if (samples.key[sample] !== 1) continue;
    if (shownAt(samples.pts(sample)) > start) break;
    seek = shownAt(samples.dts[sample] ?? 0) + SEEK_MARGIN_SECONDS;
  }
  return Math.max(0, seek);
}
