import { seekTo } from './media-actions';
import { startOfWindow, timelineOf } from './timeline';

/** Distance to the live edge, in seconds, after going back. */
const FIRST_STEP_S = 30;
/** Seeks end up to this many seconds before their target, for example at the start of a frame. */
const SEEK_TOLERANCE_S = 0.5;

/** Where playback starts in the DVR playlist: `step`: 30 seconds behind the live edge; `start`: at the start of its window. */
export type DvrStart = 'step' | 'start';

/**
 * Seeks back in a live stream once the player knows the seekable range. From then on, a seek to the moving start of the
 * DVR window, with a key or the seek bar, ends where segments can be played for certain.
 * @param dvrSeconds length of the DVR window
 * @returns a function that cancels the seek, and the correction of later seeks
 */
export function seekToDvrStart(video: HTMLVideoElement, start: DvrStart, dvrSeconds: number): () => void {
  const correction = new AbortController();
  const firstSeek = new AbortController();
  const seekBack = () => {
    const timeline = timelineOf(video);
    if (!timeline?.live) return;
    firstSeek.abort();
    const windowStart = startOfWindow(timeline, dvrSeconds);
    seekTo(video, start === 'start' ? windowStart : Math.max(windowStart, timeline.end - FIRST_STEP_S));
    video.addEventListener('seeking', moveInsideWindow, { signal: correction.signal });
  };
  const moveInsideWindow = () => {
    const timeline = timelineOf(video);
    if (!timeline?.live) return;
    const windowStart = startOfWindow(timeline, dvrSeconds);
    if (video.currentTime < windowStart - SEEK_TOLERANCE_S) seekTo(video, windowStart);
  };
  for (const event of ['canplay', 'playing', 'progress'])
    video.addEventListener(event, seekBack, {
      signal: AbortSignal.any([correction.signal, firstSeek.signal]),
    });
  return () => correction.abort();
}
