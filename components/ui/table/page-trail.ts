/** Visited pages of lists in this tab, stored because API cursors only lead forward. */

const key = 'headwater.pages';
const MAX_PAGES = 200;

type Trail = readonly (readonly [cursor: string, before: string | null])[];

function readTrail(): Trail {
  try {
    const storedTrail: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(storedTrail) ? (storedTrail as Trail) : [];
  } catch {
    return [];
  }
}

/**
 * Stores which page precedes a page.
 * @param previousCursor cursor of the previous page; null = the first page
 */
export function rememberPage(cursor: string, previousCursor: string | null): void {
  const otherPages = readTrail().filter(([storedCursor]) => storedCursor !== cursor);
  try {
    sessionStorage.setItem(key, JSON.stringify([...otherPages, [cursor, previousCursor]].slice(-MAX_PAGES)));
  } catch {
    // Storage is full or blocked: "Previous" leads to the first page.
  }
}

/** @returns cursor of the previous page; null = the first page, or unknown */
export function pageBefore(cursor: string): string | null {
  return readTrail().find(([storedCursor]) => storedCursor === cursor)?.[1] ?? null;
}
