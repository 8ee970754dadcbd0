/** Rows that the browser makes at once: half of what a screen shows, so that the hand is never kept waiting. */
export const rowsAtOnce = 7;

/**
 * The rows of a long list that may be there now: those that are there already, and a few more. A hundred new ones at once
 * would keep the page from what a hand does meanwhile.
 */
export function growRows<T extends { readonly id: string }>(
  rows: readonly T[],
  visibleIds: ReadonlySet<string>,
  more = rowsAtOnce,
): readonly T[] {
  let remainingRows = more;
  const end = rows.findIndex(({ id }) => !visibleIds.has(id) && remainingRows-- === 0);
  return end < 0 ? rows : rows.slice(0, end);
}
