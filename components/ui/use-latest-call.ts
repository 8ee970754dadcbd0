'use client';

import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A function with a stable identity that calls the latest `call`. For event handlers of many rows, which then need
 * not re-render.
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
