'use client';

import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => undefined;

/** Whether the page is hydrated: false on the server and during the first render in the browser. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
