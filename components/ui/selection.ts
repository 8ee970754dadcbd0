/** Rows of a list that are ticked. `last`: the one ticked last, where a range begins. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly last: string | null;
}

export const emptySelection: Selection = { ids: new Set(), last: null };

/** Ticks or unticks a row; with `range` also those between it and the last one, to the same state. */
export function toggleRow(
  selection: Selection,
  rows: readonly string[],
  id: string,
  range: boolean,
): Selection {
  const on = !selection.ids.has(id);
  const from = range && selection.last !== null ? rows.indexOf(selection.last) : -1;
  const to = rows.indexOf(id);
  const touched = from < 0 || to < 0 ? [id] : rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  const ids = new Set(selection.ids);
  for (const each of touched) {
    if (on) ids.add(each);
    else ids.delete(each);
  }
  return { ids, last: id };
}

/** All rows on the page, or none of them when all were ticked. */
export function togglePage(selection: Selection, rows: readonly string[]): Selection {
  const all = rows.every((id) => selection.ids.has(id));
  const ids = new Set(selection.ids);
  for (const id of rows) {
    if (all) ids.delete(id);
    else ids.add(id);
  }
  return { ids, last: null };
}
