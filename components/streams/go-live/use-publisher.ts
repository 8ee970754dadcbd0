'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import { Publisher, type PublisherSnapshot } from '@/lib/client/whip/publisher';

/** Publisher of this page, which is closed when the page is left. */
export function usePublisher(): { readonly publisher: Publisher; readonly snapshot: PublisherSnapshot } {
  const [publisher] = useState(() => new Publisher());
  const snapshot = useSyncExternalStore(publisher.subscribe, publisher.snapshot, publisher.snapshot);
  useEffect(() => {
    const closePublisher = () => publisher.close();
    const retryConnection = () => publisher.retryNow();
    // A phone that changes from Wi-Fi to its mobile network does not fire an `online` event.
    const { connection: network } = navigator as { readonly connection?: EventTarget };
    window.addEventListener('pagehide', closePublisher);
    window.addEventListener('online', retryConnection);
    network?.addEventListener('change', retryConnection);
    return () => {
      window.removeEventListener('pagehide', closePublisher);
      window.removeEventListener('online', retryConnection);
      network?.removeEventListener('change', retryConnection);
      publisher.close();
    };
  }, [publisher]);
  return { publisher, snapshot };
}

/** Keeps the screen on while `active`. The browser releases the lock when the page is hidden, so it is requested again afterwards. */
export function useWakeLock(active: boolean): void {
  useEffect(() => {
    const { wakeLock } = navigator as { readonly wakeLock?: WakeLock };
    if (!active || !wakeLock) return undefined;
    let isDisposed = false;
    let sentinel: WakeLockSentinel | null = null;
    const requestLock = () => {
      if (document.visibilityState !== 'visible') return;
      wakeLock.request('screen').then(
        (granted) => {
          if (isDisposed) void granted.release();
          else sentinel = granted;
        },
        // A phone in power saving mode rejects the lock.
        () => undefined,
      );
    };
    requestLock();
    document.addEventListener('visibilitychange', requestLock);
    return () => {
      isDisposed = true;
      document.removeEventListener('visibilitychange', requestLock);
      void sentinel?.release();
    };
  }, [active]);
}
