'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import { type ListShape, type ListState, allValue, readListState, writeListState } from './list-state';

/** State of a list in the URL, so that it can be shared and restored by "back". `shape`: a constant. */
export function useListState<S extends string>(shape: ListShape<S>) {
  const path = usePathname();
  const params = useSearchParams();
  const state = useMemo(() => readListState(shape, new URLSearchParams(params)), [shape, params]);
  /** Every change except paging returns to the first page. */
  const change = useCallback(
    (part: Partial<ListState<S>>, historyMethod: 'push' | 'replace' = 'push') => {
      const url = `${path}${writeListState(shape, { ...state, cursor: null, ...part })}`;
      // Next's router is not needed: it follows the browser history.
      if (historyMethod === 'replace') window.history.replaceState(null, '', url);
      else window.history.pushState(null, '', url);
    },
    [path, shape, state],
  );
  /** Sets or clears one filter. */
  const filter = useCallback(
    (name: string, value: string) => {
      const otherFilters = Object.entries(state.filters).filter(([filterName]) => filterName !== name);
      change({
        filters: Object.fromEntries(value === allValue ? otherFilters : [...otherFilters, [name, value]]),
      });
    },
    [change, state],
  );
  /** Changes when the query matches other rows, but not when only their presentation changes. */
  const filterKey = JSON.stringify([state.search, state.filters]);
  return { state, filterKey, change, filter };
}
