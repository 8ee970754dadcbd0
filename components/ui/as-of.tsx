'use client';

import { useUnreachableSince } from '@/lib/client/use-connection';
import { timeOfDay } from './time-words';

/** How old the live figures of a page are, while the server does not respond. */
export function AsOf() {
  const since = useUnreachableSince();
  if (since === null) return null;
  return (
    <span className="text-warn-ink text-sm font-medium whitespace-nowrap">as of {timeOfDay(since)}</span>
  );
}
