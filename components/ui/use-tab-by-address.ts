'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

const NAME = 'tab';

/**
 * The tab that the address names with `?tab=`: it can be linked to, and "back" returns to the previous one. The first tab
 * is the one of an address without a name, or with one that there is not.
 */
export function useTabByAddress<T extends string>(
  tabs: readonly [T, ...T[]],
): [tab: T, choose: (tab: T) => void] {
  const path = usePathname();
  const params = useSearchParams();
  const named = params.get(NAME);
  const [first] = tabs;
  const choose = useCallback(
    (tab: T) => {
      const next = new URLSearchParams(params);
      if (tab === first) next.delete(NAME);
      else next.set(NAME, tab);
      window.history.pushState(null, '', next.size > 0 ? `${path}?${next.toString()}` : path);
    },
    [first, params, path],
  );
  return [tabs.find((each) => each === named) ?? first, choose];
}
