'use client';

import { useSyncExternalStore } from 'react';

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}

/** The token behind # of a one-time link: "" without one; null until the page has its code. */
export const useLinkToken = (): string | null =>
  useSyncExternalStore(
    subscribe,
    () => window.location.hash.slice(1),
    () => null,
  );
