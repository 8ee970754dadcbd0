'use client';

import { useOffline } from 'next/offline';
import { useEffect, useSyncExternalStore } from 'react';
import { connection } from './connection';

const CHECK_INTERVAL_MS = 5_000;
/** Time without a response after which the server is probed. */
const QUIET_MS = 30_000;

/** When the server stopped responding, in Unix milliseconds; null while it responds. */
export const useUnreachableSince = (): number | null =>
  useSyncExternalStore(
    connection.subscribe,
    () => connection.downSince,
    () => null,
  );

/** Notices an outage on pages that send no requests, and registers the service worker for reloads during an outage. */
export function useWatchConnection(): void {
  // Next keeps a navigation that failed because the server is down, and opens the page when the server is back.
  const hasNavigationFailed = useOffline();
  useEffect(() => {
    if (hasNavigationFailed) connection.suspectOutage();
  }, [hasNavigationFailed]);
  useEffect(() => {
    // Browsers offer service workers only over HTTPS and on localhost.
    if ('serviceWorker' in navigator) {
      void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
    }
  }, []);
  useEffect(() => {
    const onOffline = () => connection.suspectOutage();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') connection.probeIfQuiet(QUIET_MS);
    }, CHECK_INTERVAL_MS);
    window.addEventListener('offline', onOffline);
    return () => {
      clearInterval(timer);
      window.removeEventListener('offline', onOffline);
    };
  }, []);
}
