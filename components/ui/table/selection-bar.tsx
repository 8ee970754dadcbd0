import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import type { BulkProgress } from '@/lib/client/use-bulk';
import { ProgressBar } from '@/components/ui/progress-bar';

/** Fields of a selected row that are kept while another page is shown. */
export interface NamedRow {
  readonly id: string;
  readonly name: string;
}

/** Selected rows by id. `lastToggledId`: the row where a range starts. */
export interface Selection {
  readonly rows: ReadonlyMap<string, NamedRow>;
  readonly lastToggledId: string | null;
}

export const emptySelection: Selection = { rows: new Map(), lastToggledId: null };

/** Toggles a row. With `range`, all rows between it and the row toggled before get the same state. */
export function toggleRow(
  selection: Selection,
  page: readonly NamedRow[],
  id: string,
  range: boolean,
): Selection {
  const isSelected = !selection.rows.has(id);
  const indexOf = (rowId: string | null) => page.findIndex((row) => row.id === rowId);
  const to = indexOf(id);
  const from = range ? indexOf(selection.lastToggledId) : to;
  const touchedRows = page.slice(Math.min(from < 0 ? to : from, to), Math.max(from, to) + 1);
  return { rows: withRows(selection, touchedRows, isSelected), lastToggledId: id };
}

/** Selects all rows of the page, or deselects them if all are selected. */
export function togglePage(selection: Selection, page: readonly NamedRow[]): Selection {
  return { rows: withRows(selection, page, !isPageSelected(selection, page)), lastToggledId: null };
}

/** Whether all rows of a page are selected. */
export function isPageSelected(selection: Selection, page: readonly NamedRow[]): boolean {
  return page.every(({ id }) => selection.rows.has(id));
}

function withRows(
  selection: Selection,
  rows: readonly NamedRow[],
  isSelected: boolean,
): Map<string, NamedRow> {
  const next = new Map(selection.rows);
  for (const { id, name } of rows) {
    if (isSelected) next.set(id, { id, name });
    else next.delete(id);
  }
  return next;
}

interface SelectionBarProps {
  /** Summary: "3 assets selected". */
  summary: string;
  onClear: () => void;
  /** Offer to select all matching rows, if there are more rows than on the page: "Select all 1,000". */
  selectAllOffer?:
    | { readonly label: string; readonly pending: boolean; readonly onChoose: () => void }
    | undefined;
  /** Progress of a running bulk action. */
  progress: BulkProgress | null;
  children: ReactNode;
}

/** A floating bar at the lower edge while rows are selected, so that no content moves. */
export function SelectionBar({ summary, onClear, selectAllOffer, progress, children }: SelectionBarProps) {
  const t = useTranslations('ui.selection');
  return (
    <div
      role="region"
      aria-label={t('label')}
      className="bg-raised shadow-pop animate-pop fixed inset-x-4 bottom-5 z-20 mx-auto flex min-h-13 max-w-xl flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border py-2 pr-2 pl-4 max-lg:bottom-[calc(var(--dock-room,0px)+1.25rem)]"
    >
      {progress ? (
        <div className="grid flex-1 gap-1.5 pr-2">
          <p className="font-medium tabular-nums">
            {t('progress', { over: progress.finished, of: progress.total })}
          </p>
          <ProgressBar label={t('rows')} value={progress.finished / progress.total} />
        </div>
      ) : (
        <>
          <p aria-live="polite" className="mr-auto font-medium">
            {summary}
          </p>
          {selectAllOffer && (
            <Button
              size="sm"
              variant="ghost"
              pending={selectAllOffer.pending}
              onClick={selectAllOffer.onChoose}
            >
              {selectAllOffer.label}
            </Button>
          )}
          {children}
          <Button size="sm" variant="ghost" onClick={onClear}>
            {t('clear')}
          </Button>
        </>
      )}
    </div>
  );
}
