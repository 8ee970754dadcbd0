'use client';

import { useOffline } from 'next/offline';
import { useEffect, useSyncExternalStore } from 'react';
import { serverReachability } from './server-reachability';

const CHECK_INTERVAL_MS = 5_000;
/** Time without a response after which the server is probed. */
const MAX_SILENCE_MS = 30_000;

/** When the first request was sent that got no response, in Unix milliseconds; null while the server responds. */
export const useUnreachableSince = (): number | null =>
  useSyncExternalStore(
    serverReachability.subscribe,
    () => serverReachability.unreachableSince,
    () => null,
  );

/** Probes the server when it may be unreachable, also on pages that send no requests. */
export function useServerProbes(): void {
  // Turns true when a navigation of Next gets no response. Next opens that page when the server responds again.
  const isNavigationWaiting = useOffline();
  useEffect(() => {
    if (isNavigationWaiting) serverReachability.probeNow();
  }, [isNavigationWaiting]);
  useEffect(() => {
    const onOffline = () => serverReachability.probeNow();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') serverReachability.probeIfSilentFor(MAX_SILENCE_MS);
    }, CHECK_INTERVAL_MS);
    window.addEventListener('offline', onOffline);
    return () => {
      clearInterval(timer);
      window.removeEventListener('offline', onOffline);
    };
  }, []);
}

/** Registers the service worker, which answers reloads while the server is unreachable. */
export function useServiceWorker(): void {
  useEffect(() => {
    // Browsers offer service workers only over HTTPS and on localhost.
    if ('serviceWorker' in navigator) {
      // Without the worker, for example in a private window, only reloads while the server is unreachable fail.
      void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
    }
  }, []);
}
