'use client';

import { useSyncExternalStore } from 'react';
import { formatNearTime } from '@/components/ui/time-text';
import { useTimeFormat } from '@/components/ui/time/time-settings';

const subscribeToNothing = () => () => undefined;
const openedAt = Date.now();
/** Time at which the page was opened. It is constant, because a snapshot must not change between renders. */
const getOpenedAt = () => openedAt;

/** A time in the time zone and language of the viewer. A time of today has no date, unless only the date is shown. */
export function LocalTime({ unixMs, dateOnly = false }: { unixMs: number; dateOnly?: boolean }) {
  const format = useTimeFormat();
  // The server does not know which day it is where the viewer is.
  const now = useSyncExternalStore(subscribeToNothing, getOpenedAt, () => null);
  return (
    <time dateTime={new Date(unixMs).toISOString()} title={format.full(unixMs)}>
      {dateOnly ? format.date(unixMs) : formatNearTime(unixMs, now, format)}
    </time>
  );
}
