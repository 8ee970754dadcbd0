import { seekTo } from './media-actions';
import { timelineOf } from './timeline';

/** Distance to the live edge, in seconds, after going back. */
const FIRST_STEP_S = 30;

/**
 * Seeks back in a live stream once the player knows the seekable range.
 * @returns a function that cancels the seek
 */
export function stepBack(video: HTMLVideoElement): () => void {
  const controller = new AbortController();
  const step = () => {
    const timeline = timelineOf(video);
    if (!timeline?.live) return;
    controller.abort();
    seekTo(video, Math.max(timeline.start, timeline.end - FIRST_STEP_S));
  };
  for (const event of ['canplay', 'playing', 'progress'])
    video.addEventListener(event, step, { signal: controller.signal });
  return () => controller.abort();
}
