import { seekTo } from './media-actions';
import { timelineOf } from './timeline';

/** Distance to the live edge, in seconds, after going back. */
const FIRST_STEP_S = 30;

/** Where a live stream continues after going back: 30 seconds ago, or at the start of its DVR window. */
export type Rewind = 'step' | 'start';

/**
 * Seeks back in a live stream once the player knows the seekable range.
 * @returns a function that cancels the seek
 */
export function stepBack(video: HTMLVideoElement, to: Rewind): () => void {
  const controller = new AbortController();
  const step = () => {
    const timeline = timelineOf(video);
    if (!timeline?.live) return;
    controller.abort();
    seekTo(video, to === 'start' ? timeline.start : Math.max(timeline.start, timeline.end - FIRST_STEP_S));
  };
  for (const event of ['canplay', 'playing', 'progress'])
    video.addEventListener(event, step, { signal: controller.signal });
  return () => controller.abort();
}
