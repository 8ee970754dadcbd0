'use client';

import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { useTimeFormat } from './time/time-settings';
import { formatAgo } from './time-text';

const TICK_MS = 10_000;

let now = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all relative times of the page. */
function subscribe(listener: () => void) {
  listeners.add(listener);
  // The timer stops while no relative time is shown.
  if (timer === undefined) now = Date.now();
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

/**
 * The result of `write` for the current time, updated over time. The server's text stays until it changes: see
 * suppressHydrationWarning.
 */
export const useNowAs = (write: (now: number) => string): string =>
  // The snapshot is the text instead of the time: a hundred rows re-render only if their text changes.
  useSyncExternalStore(
    subscribe,
    () => write((now ||= Date.now())),
    () => write(Date.now()),
  );

/** "3 min ago", updated over time, with the full date as tooltip. `at` in Unix milliseconds; 0 = never. */
export function RelativeTime({ at, never }: { at: number | null | undefined; never?: string }) {
  const t = useTranslations('ui.time');
  const format = useTimeFormat();
  const ageText = useNowAs((moment) => (at ? formatAgo(t, at, Math.max(moment, at), format) : ''));
  if (!at) return <span className="text-ink-3">{never ?? t('never')}</span>;
  return (
    <time
      dateTime={new Date(at).toISOString()}
      // Formatted on hover, because formatting two dates in each of a hundred rows is slow.
      onPointerEnter={({ currentTarget }) => (currentTarget.title = format.full(at))}
      suppressHydrationWarning
    >
      {ageText}
    </time>
  );
}

/**
 * "Dec 24, 2026", for dates in the future.
 * @param at Unix milliseconds
 */
export function CalendarDate({ at }: { at: number }) {
  const format = useTimeFormat();
  return (
    <time dateTime={new Date(at).toISOString()} suppressHydrationWarning>
      {format.date(at)}
    </time>
  );
}
