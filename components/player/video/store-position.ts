import { MOST_POSITIONS, type Positions, STORAGE_KEY, idOf, readPositions } from './resume';

/** Shorter videos start at their beginning. */
const SHORTEST_VIDEO_S = 30;
/** Nearer than this to the beginning or the end is not "in the middle". */
const MARGIN_S = 5;

/** The positions after a viewer was at `seconds` of a video of this length. */
export function withPosition(
  positions: Positions,
  id: string,
  { seconds, duration }: { readonly seconds: number; readonly duration: number },
): Positions {
  const otherPositions = positions.filter(([each]) => each !== id);
  const between = seconds >= MARGIN_S && seconds <= duration - MARGIN_S;
  if (duration < SHORTEST_VIDEO_S || !between) return otherPositions;
  return [[id, Math.floor(seconds)] as const, ...otherPositions].slice(0, MOST_POSITIONS);
}

/** How often the position is kept while a video plays, in its own seconds. */
const STORE_EVERY_S = 5;

/** Keeps where the viewer is from now on. @param from where the video started @returns how to stop */
export function keepPosition(video: HTMLVideoElement, src: string, from: number): () => void {
  let last = from;
  const store = (often: boolean) => {
    if (!Number.isFinite(video.duration)) return;
    // Before the first picture, the position is not yet that of the viewer.
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    if (often && Math.abs(video.currentTime - last) < STORE_EVERY_S) return;
    last = video.currentTime;
    storePosition(src, { seconds: video.currentTime, duration: video.duration });
  };
  const closing = new AbortController();
  const { signal } = closing;
  video.addEventListener('timeupdate', () => store(true), { signal });
  video.addEventListener('pause', () => store(false), { signal });
  window.addEventListener('pagehide', () => store(false), { signal });
  return () => closing.abort();
}

/** Keeps where the viewer is, or forgets it near the beginning and the end. */
function storePosition(src: string, at: { seconds: number; duration: number }): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(withPosition(readPositions(), idOf(src), at)));
  } catch {
    // No storage in this frame, or it is full: the video starts at its beginning next time.
  }
}
