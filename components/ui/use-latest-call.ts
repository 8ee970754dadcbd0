'use client';

import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * The same function for as long as the component is there; called, it does what the one of the latest rendering does. For
 * what a hand sets off in one of many rows, which then need not be rendered again with everything around them.
 */
export function useLatestCall<A extends readonly unknown[]>(
  act: ((...args: A) => void) | undefined,
): (...args: A) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: A) => latest.current?.(...args), []);
}
