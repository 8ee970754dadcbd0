'use client';

import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Function with a stable identity that calls the `handler` of the latest render, so that rows do not re-render for a new
 * handler. It does nothing while there is no handler.
 */
export function useLatestCall<Args extends readonly unknown[]>(
  handler: ((...args: Args) => void) | undefined,
): (...args: Args) => void {
  const latestHandler = useRef(handler);
  useLayoutEffect(() => {
    latestHandler.current = handler;
  });
  return useCallback((...args: Args) => latestHandler.current?.(...args), []);
}
