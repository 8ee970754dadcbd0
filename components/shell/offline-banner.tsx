'use client';

import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';

function subscribe(changed: () => void) {
  for (const name of ['online', 'offline']) window.addEventListener(name, changed);
  return () => {
    for (const name of ['online', 'offline']) window.removeEventListener(name, changed);
  };
}

/** Said over the page while the browser has no network; it moves nothing. */
export function OfflineBanner() {
  const offline = useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  );
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-40 grid justify-items-center"
    >
      {offline && (
        <p className="bg-raised shadow-pop flex items-center gap-3 rounded-lg border px-4 py-3">
          <WifiOff aria-hidden="true" className="text-warn-ink size-4 shrink-0" />
          You are offline. This page may be out of date and will update when you reconnect.
        </p>
      )}
    </div>
  );
}
