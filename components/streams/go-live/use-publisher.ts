'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import { Publisher, type PublisherSnapshot } from '@/lib/client/whip/publisher';

/** The publisher of this page: it ends with the page. */
export function usePublisher(): { readonly publisher: Publisher; readonly snapshot: PublisherSnapshot } {
  const [publisher] = useState(() => new Publisher());
  const snapshot = useSyncExternalStore(publisher.subscribe, publisher.snapshot, publisher.snapshot);
  useEffect(() => {
    const leave = () => publisher.close();
    const retry = () => publisher.retryNow();
    // A phone that changes from Wi-Fi to its mobile network is never offline.
    const { connection: network } = navigator as { readonly connection?: EventTarget };
    window.addEventListener('pagehide', leave);
    window.addEventListener('online', retry);
    network?.addEventListener('change', retry);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('online', retry);
      network?.removeEventListener('change', retry);
      publisher.close();
    };
  }, [publisher]);
  return { publisher, snapshot };
}

/** Keeps the screen of a phone on. The browser releases the lock when the page is hidden. */
export function useWakeLock(active: boolean): void {
  useEffect(() => {
    const { wakeLock } = navigator as { readonly wakeLock?: WakeLock };
    if (!active || !wakeLock) return undefined;
    let isOver = false;
    let sentinel: WakeLockSentinel | null = null;
    const lock = () => {
      if (document.visibilityState !== 'visible') return;
      wakeLock.request('screen').then(
        (granted) => {
          if (isOver) void granted.release();
          else sentinel = granted;
        },
        // A phone that saves power refuses it.
        () => undefined,
      );
    };
    lock();
    document.addEventListener('visibilitychange', lock);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', lock);
      void sentinel?.release();
    };
  }, [active]);
}
