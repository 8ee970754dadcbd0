'use client';

import { useSyncExternalStore } from 'react';
import { formatNearTime } from '@/components/ui/time-text';
import { useTimeFormat } from '@/components/ui/time/time-settings';

const subscribeToNothing = () => () => undefined;
const openedAt = Date.now();
/** Time at which the page was opened. It is constant, because a snapshot must not change between renders. */
const getOpenedAt = () => openedAt;

/** A time in the time zone and language of the viewer, from Unix milliseconds. A time of today has no date. */
export function LocalTime({ at, dateOnly = false }: { at: number; dateOnly?: boolean }) {
  const format = useTimeFormat();
  // The server does not know which day it is where the viewer is.
  const now = useSyncExternalStore(subscribeToNothing, getOpenedAt, () => null);
  return (
    <time dateTime={new Date(at).toISOString()} title={format.full(at)}>
      {dateOnly ? format.date(at) : formatNearTime(at, now, format)}
    </time>
  );
}
