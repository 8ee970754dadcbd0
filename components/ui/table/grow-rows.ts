/** Rows that are rendered in one step: about half a screen, so that input is not blocked. */
export const ROWS_PER_STEP = 7;

/**
 * The rows of a long list to render now: the current rows and a few more. Rendering a hundred new rows in one step would
 * block input.
 */
export function growRows<T extends { readonly id: string }>(
  rows: readonly T[],
  visibleIds: ReadonlySet<string>,
  maxNewRows = ROWS_PER_STEP,
): readonly T[] {
  let remainingNewRows = maxNewRows;
  // Index of the first new row that is one too many. Each new row before it uses up one of the remaining rows.
  const endIndex = rows.findIndex(({ id }) => !visibleIds.has(id) && remainingNewRows-- === 0);
  return endIndex < 0 ? rows : rows.slice(0, endIndex);
}
