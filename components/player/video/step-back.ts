import { seekTo } from './media-actions';
import { timelineOf } from './timeline';

/** How far the first step leads back. */
const firstStepS = 30;

/** Goes back a step in a live stream as soon as the player knows how far it reaches. @returns gives up */
export function stepBack(video: HTMLVideoElement): () => void {
  const closing = new AbortController();
  const step = () => {
    const timeline = timelineOf(video);
    if (!timeline?.live) return;
    closing.abort();
    seekTo(video, Math.max(timeline.start, timeline.end - firstStepS));
  };
  for (const event of ['canplay', 'playing', 'progress'])
    video.addEventListener(event, step, { signal: closing.signal });
  return () => closing.abort();
}
