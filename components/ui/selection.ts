/** What a selection remembers of a row, also when another page of the list is shown. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Ids of selected rows. `last`: the one selected last, where a range starts. */
export interface Selection {
  readonly rows: ReadonlyMap<string, Named>;
  readonly last: string | null;
}

export const emptySelection: Selection = { rows: new Map(), last: null };

/** Ticks or unticks a row; with `range` also those between it and the last one, to the same state. */
export function toggleRow(
  selection: Selection,
  page: readonly Named[],
  id: string,
  range: boolean,
): Selection {
  const on = !selection.rows.has(id);
  const indexOf = (wanted: string | null) => page.findIndex((row) => row.id === wanted);
  const to = indexOf(id);
  const from = range ? indexOf(selection.last) : to;
  const touched = page.slice(Math.min(from < 0 ? to : from, to), Math.max(from, to) + 1);
  return { rows: withRows(selection, touched, on), last: id };
}

/** All rows on the page, or none of them when all were ticked. */
export function togglePage(selection: Selection, page: readonly Named[]): Selection {
  return { rows: withRows(selection, page, !hasPage(selection, page)), last: null };
}

/** Whether all rows of a page are ticked. */
export function hasPage(selection: Selection, page: readonly Named[]): boolean {
  return page.every(({ id }) => selection.rows.has(id));
}

function withRows(selection: Selection, rows: readonly Named[], on: boolean): Map<string, Named> {
  const next = new Map(selection.rows);
  for (const { id, name } of rows) {
    if (on) next.set(id, { id, name });
    else next.delete(id);
  }
  return next;
}
