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
  const others = positions.filter(([each]) => each !== id);
  const between = seconds >= MARGIN_S && seconds <= duration - MARGIN_S;
  if (duration < SHORTEST_VIDEO_S || !between) return others;
  return [[id, Math.floor(seconds)] as const, ...others].slice(0, MOST_POSITIONS);
}

/** Keeps where the viewer is, or forgets it near the beginning and the end. */
export function storePosition(src: string, at: { seconds: number; duration: number }): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(withPosition(readPositions(), idOf(src), at)));
  } catch {
    // No storage in this frame, or it is full: the video starts at its beginning next time.
  }
}
