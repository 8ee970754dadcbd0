import { MAX_POSITIONS, type Positions, STORAGE_KEY, videoIdOf, readPositions } from './resume';

/** Shortest video, in seconds, whose position is stored. */
const MIN_VIDEO_S = 30;
/** A position this close to the beginning or the end, in seconds, is not stored. */
const MARGIN_S = 5;

/** Positions with a new entry for a video, or without an entry if the position is too close to an end. */
export function withPosition(
  positions: Positions,
  id: string,
  { seconds, duration }: { readonly seconds: number; readonly duration: number },
): Positions {
  const otherPositions = positions.filter(([storedId]) => storedId !== id);
  const isAwayFromEnds = seconds >= MARGIN_S && seconds <= duration - MARGIN_S;
  if (duration < MIN_VIDEO_S || !isAwayFromEnds) return otherPositions;
  return [[id, Math.floor(seconds)] as const, ...otherPositions].slice(0, MAX_POSITIONS);
}

/** Distance between stored positions, in seconds of the video. */
const STORE_EVERY_S = 5;

/**
 * Stores the viewer's position regularly.
 * @param startSeconds position at which playback starts
 * @returns a function that stops storing
 */
export function startStoringPosition(video: HTMLVideoElement, src: string, startSeconds: number): () => void {
  let lastStoredSeconds = startSeconds;
  const store = (isPeriodic: boolean) => {
    if (!Number.isFinite(video.duration)) return;
    // Before the first frame, the position is 0 although playback may resume later in the video.
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    if (isPeriodic && Math.abs(video.currentTime - lastStoredSeconds) < STORE_EVERY_S) return;
    lastStoredSeconds = video.currentTime;
    storePosition(src, { seconds: video.currentTime, duration: video.duration });
  };
  const controller = new AbortController();
  const { signal } = controller;
  video.addEventListener('timeupdate', () => store(true), { signal });
  video.addEventListener('pause', () => store(false), { signal });
  window.addEventListener('pagehide', () => store(false), { signal });
  return () => controller.abort();
}

/** Stores the position, or deletes it near the beginning and the end. */
function storePosition(src: string, position: { seconds: number; duration: number }): void {
  try {
    localStorage.setItem(
      STORAGE_KEY,
      JSON.stringify(withPosition(readPositions(), videoIdOf(src), position)),
    );
  } catch {
    // Storage is blocked or full: the video starts at its beginning next time.
  }
}
