'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

const NAME = 'tab';

/** Stores the selected tab in the URL as `?tab=`, so that it can be linked to. The first tab is the default. */
export function useTabByUrl<T extends string>(
  tabs: readonly [T, ...T[]],
): [tab: T, choose: (tab: T) => void] {
  const path = usePathname();
  const params = useSearchParams();
  const tabName = params.get(NAME);
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
  return [tabs.find((candidate) => candidate === tabName) ?? first, choose];
}
