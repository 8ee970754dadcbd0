import { seekTo } from './media-actions';
import { startOfWindow, timelineOf } from './timeline';

/** Distance to the live edge, in seconds, after going back. */
const FIRST_STEP_S = 30;

/** Where a live stream continues after going back: 30 seconds ago, or at the start of what can be played. */
export type Rewind = 'step' | 'start';

/**
 * Seeks back in a live stream once the player knows the seekable range.
 * @param dvrSeconds length of the DVR window
 * @returns a function that cancels the seek
 */
export function stepBack(video: HTMLVideoElement, to: Rewind, dvrSeconds: number): () => void {
  const controller = new AbortController();
  const step = () => {
    const timeline = timelineOf(video);
    if (!timeline?.live) return;
    controller.abort();
    const start = startOfWindow(timeline, dvrSeconds);
    seekTo(video, to === 'start' ? start : Math.max(start, timeline.end - FIRST_STEP_S));
  };
  for (const event of ['canplay', 'playing', 'progress'])
    video.addEventListener(event, step, { signal: controller.signal });
  return () => controller.abort();
}
