'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

const PARAMETER = 'tab';

/** Stores the selected tab in the URL as `?tab=`, so that it can be linked to. The first tab is the default. */
export function useTabByUrl<T extends string>(
  tabs: readonly [T, ...T[]],
): [selectedTab: T, selectTab: (tab: T) => void] {
  const path = usePathname();
  const params = useSearchParams();
  const tabInUrl = params.get(PARAMETER);
  const [defaultTab] = tabs;
  const selectTab = useCallback(
    (tab: T) => {
      const newParams = new URLSearchParams(params);
      if (tab === defaultTab) newParams.delete(PARAMETER);
      else newParams.set(PARAMETER, tab);
      window.history.pushState(null, '', newParams.size > 0 ? `${path}?${newParams.toString()}` : path);
    },
    [defaultTab, params, path],
  );
  return [tabs.find((tab) => tab === tabInUrl) ?? defaultTab, selectTab];
}
