'use client';

import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { useTimeFormat } from './time/time-settings';
import { formatAgo } from './time-text';

/** Interval at which all relative times of a page are updated. */
const UPDATE_INTERVAL_MS = 10_000;

let now = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Subscribes to the timer that all relative times of the page share. */
function subscribe(listener: () => void) {
  listeners.add(listener);
  // The timer does not run while no relative time is shown, so `now` is outdated then.
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const notify of listeners) notify();
  }, UPDATE_INTERVAL_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * Text for the current time, updated every 10 s. The text of the server stays until the first update.
 * @param format formats the current time, in Unix milliseconds
 */
export const useFormattedNow = (format: (now: number) => string): string =>
  // The snapshot is the text, not the time, so that rows re-render only if their text changes.
  useSyncExternalStore(
    subscribe,
    () => format((now ||= Date.now())),
    () => format(Date.now()),
  );

/**
 * Age of a time, such as "3 min ago", with the full date as tooltip.
 * @param at Unix milliseconds; 0, null or undefined = never
 */
export function RelativeTime({ at, never }: { at: number | null | undefined; never?: string }) {
  const t = useTranslations('ui.time');
  const format = useTimeFormat();
  const ageText = useFormattedNow((moment) => (at ? formatAgo(t, at, Math.max(moment, at), format) : ''));
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
 * Date such as "Dec 24, 2026", for times in the future.
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
