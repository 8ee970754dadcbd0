import { useCallback, useSyncExternalStore } from 'react';

/** Name of the entry in the session storage, which the browser deletes with the tab and sends to no server. */
const storageName = 'reference-key';

const listeners = new Set<() => void>();
/** Fallback for browsers without storage. */
let memoryEntry = '';

function readEntry(): string {
  try {
    return sessionStorage.getItem(storageName) ?? '';
  } catch {
    return memoryEntry;
  }
}

function writeEntry(entry: string): void {
  memoryEntry = entry;
  try {
    sessionStorage.setItem(storageName, entry);
  } catch {
    // The key stays in memory until the page is closed.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The API key that the reader pasted; empty without one.
 * @param account the logged-in account: another account in the same tab does not see the key
 */
export function useReaderKey(account: string | null): readonly [string, (key: string) => void] {
  const entry = useSyncExternalStore(subscribe, readEntry, () => '');
  // The stored entry is the account, a space, which no email address contains, and the key.
  const owner = `${account ?? ''} `;
  const setKey = useCallback(
    // Only characters that an HTTP header can contain: a pasted key may end with a line break.
    (key: string) => writeEntry(`${owner}${key.replaceAll(/[^\x21-\x7e]/g, '')}`),
    [owner],
  );
  return [entry.startsWith(owner) ? entry.slice(owner.length) : '', setKey];
}
