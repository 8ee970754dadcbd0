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

export interface Selection {
  /** Selected rows by id. */
  readonly rows: ReadonlyMap<string, NamedRow>;
  /** Row at which a range starts; null if there is none. */
  readonly lastToggledId: string | null;
}

export const emptySelection: Selection = { rows: new Map(), lastToggledId: null };

/**
 * Toggles a row.
 * @param page rows of the current page
 * @param isRange whether all rows between it and the row that was toggled before get the same state
 */
export function toggleRow(
  selection: Selection,
  page: readonly NamedRow[],
  id: string,
  isRange: boolean,
): Selection {
  const isSelected = !selection.rows.has(id);
  const indexOf = (rowId: string | null) => page.findIndex((row) => row.id === rowId);
  const endIndex = indexOf(id);
  const startIndex = isRange ? indexOf(selection.lastToggledId) : endIndex;
  // A range that starts on another page has the index -1, and only the clicked row is toggled.
  const toggledRows = page.slice(
    Math.min(startIndex < 0 ? endIndex : startIndex, endIndex),
    Math.max(startIndex, endIndex) + 1,
  );
  return { rows: withRows(selection, toggledRows, isSelected), lastToggledId: id };
}

/** Selects all rows of the page, or deselects them if all are selected. */
export function togglePage(selection: Selection, page: readonly NamedRow[]): Selection {
  return { rows: withRows(selection, page, !isPageSelected(selection, page)), lastToggledId: null };
}

/** Whether all rows of a page are selected. */
export function isPageSelected(selection: Selection, page: readonly NamedRow[]): boolean {
  return page.every(({ id }) => selection.rows.has(id));
}

/** Selected rows after some rows were selected or deselected. */
function withRows(
  selection: Selection,
  rows: readonly NamedRow[],
  isSelected: boolean,
): Map<string, NamedRow> {
  const newRows = new Map(selection.rows);
  for (const { id, name } of rows) {
    if (isSelected) newRows.set(id, { id, name });
    else newRows.delete(id);
  }
  return newRows;
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
