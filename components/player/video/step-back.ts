import { seekTo } from './media-actions';
import { timelineOf } from './timeline';

/** Seconds that the first step seeks back. */
const firstStepS = 30;

/**
 * Seeks back one step in a live stream once the player knows the seekable range.
 * @returns a function that cancels this
 */
export function stepBack(video: HTMLVideoElement): () => void {
  const controller = new AbortController();
  const step = () => {
    const timeline = timelineOf(video);
    if (!timeline?.live) return;
    controller.abort();
    seekTo(video, Math.max(timeline.start, timeline.end - firstStepS));
  };
  for (const event of ['canplay', 'playing', 'progress'])
    video.addEventListener(event, step, { signal: controller.signal });
  return () => controller.abort();
}
