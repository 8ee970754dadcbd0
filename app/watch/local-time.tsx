'use client';

import { useTimeFormat } from '@/components/ui/time/time-settings';

/** A time in the time zone and language of the viewer, from Unix milliseconds. */
export function LocalTime({ at, dateOnly = false }: { at: number; dateOnly?: boolean }) {
  const format = useTimeFormat();
  return (
    <time dateTime={new Date(at).toISOString()} title={format.full(at)}>
      {dateOnly ? format.date(at) : format.dateAndTime(at)}
    </time>
  );
}
