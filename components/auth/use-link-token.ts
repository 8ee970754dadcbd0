'use client';

import { useSyncExternalStore } from 'react';

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}

/** The token in the URL fragment of a one-time link: "" without one; null before hydration. */
export const useLinkToken = (): string | null =>
  useSyncExternalStore(
    subscribe,
    () => window.location.hash.slice(1),
    () => null,
  );
