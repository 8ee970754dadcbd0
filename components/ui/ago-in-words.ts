const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, as short as it can be said; a date after a month. Both times in milliseconds since 1970. */
export function agoInWords(at: number, now: number): string {
  const gone = Math.max(0, now - at);
  if (gone < MINUTE) return 'just now';
  if (gone < HOUR) return `${Math.floor(gone / MINUTE)} min ago`;
  if (gone < DAY) return `${Math.floor(gone / HOUR)} h ago`;
  if (gone < 2 * DAY) return 'yesterday';
  if (gone < 30 * DAY) return `${Math.floor(gone / DAY)} days ago`;
  return new Date(at).toISOString().slice(0, 10);
}
