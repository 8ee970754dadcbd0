'use client';

import { useCallback, useSyncExternalStore } from 'react';

/** A property of the <video> that stays true: read again at each of the named events. */
export function useMediaValue<T extends boolean | number>(
  video: HTMLVideoElement | null,
  events: string,
  read: (video: HTMLVideoElement) => T,
  otherwise: T,
): T {
  const subscribe = useCallback(
    (changed: () => void) => {
      const names = events.split(' ');
      for (const name of names) {
        video?.addEventListener(name, changed);
        document.addEventListener(name, changed);
      }
      return () => {
        for (const name of names) {
          video?.removeEventListener(name, changed);
          document.removeEventListener(name, changed);
        }
      };
    },
    [video, events],
  );
  return useSyncExternalStore(
    subscribe,
    () => (video ? read(video) : otherwise),
    () => otherwise,
  );
}
