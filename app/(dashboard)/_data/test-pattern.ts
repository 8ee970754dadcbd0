'use client';

import { useCallback, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { useSetTestPattern } from '@/lib/client/queries';

/** The server takes the card off after this long. */
const RUNS_FOR_MS = 30 * 60_000;

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

const storageKey = (id: string) => `headwater.test-pattern.${id}`;

function isRemembered(id: string): boolean {
  return Number(localStorage.getItem(storageKey(id)) ?? 0) > Date.now();
}

function remember(id: string, running: boolean) {
  if (running) localStorage.setItem(storageKey(id), String(Date.now() + RUNS_FOR_MS));
  else localStorage.removeItem(storageKey(id));
  for (const each of listeners) each();
}

/**
 * The test card of a stream. The stream object does not say who publishes, so this browser remembers
 * what it asked for.
 */
export function useTestPattern(id: string) {
  const mutation = useSetTestPattern(id);
  const running = useSyncExternalStore(
    subscribe,
    () => isRemembered(id),
    () => false,
  );
  const { mutate } = mutation;
  const change = useCallback(
    (next: boolean) =>
      mutate(next, {
        onSuccess: () => remember(id, next),
        onError: (error) => toast.error('Couldn’t change the test pattern', { description: error.message }),
      }),
    [mutate, id],
  );
  return { running, pending: mutation.isPending, change };
}
