'use client';

import { useOffline } from 'next/offline';
import { useEffect, useSyncExternalStore } from 'react';
import { connection } from './connection';

const checkPeriodMs = 5_000;
const quietMs = 30_000;

/** When the server stopped responding, in Unix milliseconds; null while it responds. */
export const useUnreachableSince = (): number | null =>
  useSyncExternalStore(
    connection.subscribe,
    () => connection.since,
    () => null,
  );

/** Notices an outage on pages that send no requests, and registers the service worker for reloads during an outage. */
export function useWatchConnection(): void {
  // Next keeps a navigation that failed because the server is down, and opens the page when the server is back.
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
    }, checkPeriodMs);
    window.addEventListener('offline', suspect);
    return () => {
      clearInterval(timer);
      window.removeEventListener('offline', suspect);
    };
  }, []);
}
