'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import {
  type ListOptions,
  type ListState,
  ALL_FILTER_VALUE,
  readListState,
  writeListState,
} from './list-state';

/**
 * State of a list in the URL, so that it can be shared and restored by "back".
 * @param options must be a constant, because a new object re-renders the list
 */
export function useListState<S extends string>(options: ListOptions<S>) {
  const path = usePathname();
  const params = useSearchParams();
  const state = useMemo(() => readListState(options, new URLSearchParams(params)), [options, params]);
  /** Changes the URL. Every change except paging returns to the first page. */
  const updateListState = useCallback(
    (change: Partial<ListState<S>>, historyMethod: 'push' | 'replace' = 'push') => {
      const url = `${path}${writeListState(options, { ...state, cursor: null, ...change })}`;
      // Next.js follows changes of the browser history, so its router is not needed.
      if (historyMethod === 'replace') window.history.replaceState(null, '', url);
      else window.history.pushState(null, '', url);
    },
    [path, options, state],
  );
  /** Sets or clears one filter. */
  const setFilter = useCallback(
    (name: string, value: string) => {
      const otherFilters = Object.entries(state.filters).filter(([filterName]) => filterName !== name);
      updateListState({
        filters: Object.fromEntries(
          value === ALL_FILTER_VALUE ? otherFilters : [...otherFilters, [name, value]],
        ),
      });
    },
    [updateListState, state],
  );
  /** Changes when the query matches other rows, but not when only their presentation changes. */
  const filterKey = JSON.stringify([state.search, state.filters]);
  return { state, filterKey, updateListState, setFilter };
}
