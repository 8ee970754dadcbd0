/** Key of the positions in `localStorage`. */
export const STORAGE_KEY = 'headwater.positions';
/** Number of videos whose positions are kept. */
export const MAX_POSITIONS = 50;

/** Last positions of the viewer in videos, newest first. */
export type Positions = readonly (readonly [id: string, seconds: number])[];

/** Stored positions, newest first. Malformed entries are skipped. */
export function parsePositions(text: string | null): Positions {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(value)) return [];
  return value.filter(isPosition).slice(0, MAX_POSITIONS);
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

/** Id of a video: the URL of its playlist without the query, which does not select another video. */
export const videoIdOf = (src: string): string => src.split('?')[0] ?? src;

/** Stored position in seconds; undefined: start at the beginning. */
export function storedPosition(src: string): number | undefined {
  const id = videoIdOf(src);
  return readPositions().find(([storedId]) => storedId === id)?.[1];
}

/** Positions stored in this browser. */
export function readPositions(): Positions {
  try {
    return parsePositions(localStorage.getItem(STORAGE_KEY));
  } catch {
    // The storage is blocked.
    return [];
  }
}
