'use client';

import { useSyncExternalStore } from 'react';
import { agoInWords } from './time-words';

const TICK_MS = 10_000;

let now = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for every relative time on the page. */
function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** "3 min ago", kept true; the full date as tooltip. `at` in milliseconds since 1970; 0 = never. */
export function RelativeTime({ at, never = 'Never' }: { at: number | null | undefined; never?: string }) {
  // The text, not the time: a hundred rows re-render only if their text changes.
  const words = useSyncExternalStore(
    subscribe,
    () => (at ? agoInWords(at, Math.max((now ||= Date.now()), at)) : ''),
    // The server's text stays until it changes (suppressHydrationWarning below).
    () => (at ? agoInWords(at, Math.max(Date.now(), at)) : ''),
  );
  if (!at) return <span className="text-ink-3">{never}</span>;
  const date = new Date(at);
  return (
    <time
      dateTime={date.toISOString()}
      // Formatted on hover, in the browser's time zone: two in each of a hundred rows are slow.
      onPointerEnter={({ currentTarget }) => (currentTarget.title = date.toLocaleString('en'))}
      suppressHydrationWarning
    >
      {words}
    </time>
  );
}
