'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False on the server and until the page's code runs in the browser; true from then on. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
