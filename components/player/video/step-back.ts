import { seekTo } from './media-actions';
import { startOfWindow, timelineOf } from './timeline';

/** Distance to the live edge, in seconds, after going back. */
const FIRST_STEP_S = 30;
/** Seeks end up to this many seconds before their target, for example at the start of a frame. */
const SEEK_TOLERANCE_S = 0.5;

/** Where a live stream continues after going back: 30 seconds ago, or at the start of what can be played. */
export type Rewind = 'step' | 'start';

/**
 * Seeks back in a live stream once the player knows the seekable range. From then on, a seek to the moving start of the
 * DVR window, with a key or the seek bar, ends where segments can be played for certain.
 * @param dvrSeconds length of the DVR window
 * @returns a function that cancels the seek and ends the correction of later ones
 */
export function stepBack(video: HTMLVideoElement, to: Rewind, dvrSeconds: number): () => void {
  const all = new AbortController();
  const first = new AbortController();
  const step = () => {
    const timeline = timelineOf(video);
    if (!timeline?.live) return;
    first.abort();
    const start = startOfWindow(timeline, dvrSeconds);
    seekTo(video, to === 'start' ? start : Math.max(start, timeline.end - FIRST_STEP_S));
    video.addEventListener('seeking', moveInsideWindow, { signal: all.signal });
  };
  const moveInsideWindow = () => {
    const timeline = timelineOf(video);
    if (!timeline?.live) return;
    const start = startOfWindow(timeline, dvrSeconds);
    if (video.currentTime < start - SEEK_TOLERANCE_S) seekTo(video, start);
  };
  for (const event of ['canplay', 'playing', 'progress'])
    video.addEventListener(event, step, { signal: AbortSignal.any([all.signal, first.signal]) });
  return () => all.abort();
}
