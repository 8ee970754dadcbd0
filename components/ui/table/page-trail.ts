const STORAGE_KEY = 'headwater.pages';
const MAX_PAGES = 200;

/** Visited pages of lists in this tab, each with the page before it. They are stored because cursors only lead forward. */
type PageTrail = readonly (readonly [cursor: string, previousCursor: string | null])[];

function readTrail(): PageTrail {
  try {
    const storedTrail: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(storedTrail) ? (storedTrail as PageTrail) : [];
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
    const trail = [...otherPages, [cursor, previousCursor]].slice(-MAX_PAGES);
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(trail));
  } catch {
    // Storage is full or blocked: "Previous" leads to the first page.
  }
}

/** @returns cursor of the previous page; null = the first page, or unknown */
export function pageBefore(cursor: string): string | null {
  return readTrail().find(([storedCursor]) => storedCursor === cursor)?.[1] ?? null;
}
