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
import { MAX_LIST_ROWS } from '@/lib/client/list-cache';

interface SelectionOptions {
  /** Rows of the current page. */
  page: { readonly items: readonly NamedRow[]; readonly total: number | null } | undefined;
  /** Search and filters of the list. A change clears the selection. */
  filterKey: string;
  /** Loads the rows of all pages, at most MAX_LIST_ROWS. */
  loadAll: () => Promise<readonly NamedRow[]>;
}

/** Selected rows of a list, kept across its pages. */
export function useSelection({ page, filterKey, loadAll }: SelectionOptions) {
  const t = useTranslations('ui.list');
  const [selectionState, setSelectionState] = useState<Selection & { filterKey: string }>({
    ...emptySelection,
    filterKey,
  });
  const [isLoadingAll, setIsLoadingAll] = useState(false);
  const selection = selectionState.filterKey === filterKey ? selectionState : emptySelection;
  const storeSelection = (newSelection: Selection) => setSelectionState({ ...newSelection, filterKey });
  const items = page?.items ?? [];
  const selectedRows = [...selection.rows.values()];

  const total = Math.min(page?.total ?? 0, MAX_LIST_ROWS);
  const hasMoreMatches =
    isPageSelected(selection, items) && total > selectedRows.length && total > items.length;
  async function selectAll() {
    setIsLoadingAll(true);
    try {
      const rows = await loadAll();
      storeSelection({ rows: new Map(rows.map(({ id, name }) => [id, { id, name }])), lastToggledId: null });
    } catch (error) {
      toast.error(t('selectAllFailed'), error instanceof Error ? { description: error.message } : {});
    } finally {
      setIsLoadingAll(false);
    }
  }

  return {
    selectedRows,
    /** Selection for the table. */
    tableSelection: {
      ids: selection.rows,
      onToggle: (id: string, isRange: boolean) => storeSelection(toggleRow(selection, items, id, isRange)),
      onToggleAll: () => storeSelection(togglePage(selection, items)),
    },
    /** Offer to select all matching rows; undefined unless there are more rows than on the page. */
    selectAllOffer: hasMoreMatches
      ? {
          label: t((page?.total ?? 0) > MAX_LIST_ROWS ? 'selectFirst' : 'selectAll', { count: total }),
          pending: isLoadingAll,
          onChoose: () => void selectAll(),
        }
      : undefined,
    /** Deselects rows that a bulk action has processed. */
    deselect: (ids: readonly string[]) => {
      const removedIds = new Set(ids);
      setSelectionState((current) => ({
        ...current,
        rows: new Map([...current.rows].filter(([id]) => !removedIds.has(id))),
        lastToggledId: null,
      }));
    },
    clear: () => storeSelection(emptySelection),
  };
}
