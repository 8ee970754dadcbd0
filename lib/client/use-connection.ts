'use client';

import { useOffline } from 'next/offline';
import { useEffect, useSyncExternalStore } from 'react';
import { connection } from './connection';

const lookMs = 5_000;
const quietMs = 30_000;

/** Since when the server has not responded, Unix milliseconds; null while it does. */
export const useUnreachableSince = (): number | null =>
  useSyncExternalStore(
    connection.subscribe,
    () => connection.since,
    () => null,
  );

/** Notices a server that is gone on pages that read nothing by themselves, and prepares for a reload without one. */
export function useWatchConnection(): void {
  // A navigation that found no server: Next keeps it and opens the page when the server is back.
  const navigationFailed = useOffline();
  useEffect(() => {
    if (navigationFailed) connection.suspect();
  }, [navigationFailed]);
  useEffect(() => {
    // Browsers offer service workers only over HTTPS and on localhost.
    if ('serviceWorker' in navigator) {
      void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
    }
  }, []);
  useEffect(() => {
    const suspect = () => connection.suspect();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') connection.check(quietMs);
    }, lookMs);
    window.addEventListener('offline', suspect);
    return () => {
      clearInterval(timer);
      window.removeEventListener('offline', suspect);
    };
  }, []);
}
