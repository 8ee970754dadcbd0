'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import {
  emptySelection,
  isPageSelected,
  togglePage,
  toggleRow,
  type NamedRow,
  type Selection,
} from './selection-bar';
import { maxListRows } from '@/lib/client/list-cache';

interface SelectionOptions {
  /** Rows of the current page. */
  page: { readonly items: readonly NamedRow[]; readonly total: number | null } | undefined;
  /** Search and filters of the list. A change clears the selection. */
  filterKey: string;
  /** Loads the rows of all pages. */
  readAll: () => Promise<readonly NamedRow[]>;
}

/** Selected rows of a list, kept across its pages. */
export function useSelection({ page, filterKey, readAll }: SelectionOptions) {
  const t = useTranslations('ui.list');
  const [selectionState, setSelectionState] = useState<Selection & { of: string }>({
    ...emptySelection,
    of: filterKey,
  });
  const [reading, setReading] = useState(false);
  const selection = selectionState.of === filterKey ? selectionState : emptySelection;
  const set = (next: Selection) => setSelectionState({ ...next, of: filterKey });
  const items = page?.items ?? [];
  const selectedRows = [...selection.rows.values()];

  const total = Math.min(page?.total ?? 0, maxListRows);
  const more = isPageSelected(selection, items) && total > selectedRows.length && total > items.length;
  async function selectAll() {
    setReading(true);
    try {
      const rows = await readAll();
      set({ rows: new Map(rows.map(({ id, name }) => [id, { id, name }])), last: null });
    } catch (error) {
      toast.error(t('selectAllFailed'), error instanceof Error ? { description: error.message } : {});
    } finally {
      setReading(false);
    }
  }

  return {
    selectedRows,
    /** Checkbox state for the table. */
    ticks: {
      ids: selection.rows,
      onToggle: (id: string, range: boolean) => set(toggleRow(selection, items, id, range)),
      onToggleAll: () => set(togglePage(selection, items)),
    },
    /** All matching rows, if there are more than on the page. */
    more: more
      ? {
          label: t((page?.total ?? 0) > maxListRows ? 'selectFirst' : 'selectAll', { count: total }),
          pending: reading,
          onChoose: () => void selectAll(),
        }
      : undefined,
    /** Deselects rows that a bulk action has processed. */
    drop: (ids: readonly string[]) => {
      const removedIds = new Set(ids);
      setSelectionState((now) => ({
        ...now,
        rows: new Map([...now.rows].filter(([id]) => !removedIds.has(id))),
        last: null,
      }));
    },
    clear: () => set(emptySelection),
  };
}
