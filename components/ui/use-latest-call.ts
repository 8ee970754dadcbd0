'use client';

import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Returns a function with a stable identity that calls the latest `call`, so that rows do not re-render for new
 * handlers.
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
