/** Where viewers stopped, by playlist: kept in the browser, the most recent ones only. */

const STORAGE_KEY = 'headwater.positions';
const MOST_POSITIONS = 50;
/** Shorter videos start at their beginning. */
const SHORTEST_VIDEO_S = 30;
/** Nearer than this to the beginning or the end is not "in the middle". */
const MARGIN_S = 5;

type Positions = readonly (readonly [id: string, seconds: number])[];

/** What is stored, newest first; entries of a wrong shape are left out. */
export function parsePositions(text: string | null): Positions {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(parsed)) return [];
  return parsed.filter(isPosition).slice(0, MOST_POSITIONS);
}

function isPosition(entry: unknown): entry is readonly [string, number] {
  return (
    Array.isArray(entry) &&
    typeof entry[0] === 'string' &&
    typeof entry[1] === 'number' &&
    Number.isFinite(entry[1]) &&
    entry[1] >= 0
  );
}

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

/** The query of a playlist selects a form of it, not another video. */
const idOf = (src: string): string => src.split('?')[0] ?? src;

/** Seconds into the video where the viewer stopped; undefined: start at the beginning. */
export function storedPosition(src: string): number | undefined {
  const id = idOf(src);
  return read().find(([each]) => each === id)?.[1];
}

/** Keeps where the viewer is, or forgets it near the beginning and the end. */
export function storePosition(src: string, at: { seconds: number; duration: number }): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(withPosition(read(), idOf(src), at)));
  } catch {
    // No storage in this frame, or it is full: the video starts at its beginning next time.
  }
}

function read(): Positions {
  try {
    return parsePositions(localStorage.getItem(STORAGE_KEY));
  } catch {
    return [];
  }
}
