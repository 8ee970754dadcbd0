import { AppError } from '@/lib/core/errors';
import type { Logger } from '@/lib/infra/logger';
import { listen, type Listener } from '@/lib/infra/notifications';

/** Requests of one process that wait for an event. */
const atOnce = 200;

interface Waiting {
  readonly wakers: Set<() => void>;
  listener: Listener | null;
}

// On globalThis, because Next may load this module once for each route.
const place = globalThis as typeof globalThis & { headwaterEventWaiting?: Waiting };

/**
 * Resolves after the next commit of an event, of whatever account, and after `ms` at the latest. One connection
 * listens for all who wait, and none when nobody does.
 * @throws AppError `unavailable` when too many wait
 */
export function waitForEvent(databaseUrl: string, log: Logger, ms: number): Promise<void> {
  const waiting = (place.headwaterEventWaiting ??= { wakers: new Set(), listener: null });
  const { wakers } = waiting;
  if (wakers.size >= atOnce)
    throw new AppError('unavailable', 'too many calls wait for events', { retryAfter: 5 });
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      wakers.delete(wake);
      resolve();
      if (wakers.size > 0) return;
      void waiting.listener?.close();
      waiting.listener = null;
    };
    const timer = setTimeout(wake, ms);
    wakers.add(wake);
    waiting.listener ??= listen(databaseUrl, 'event_written', () => wakeAll(wakers), log);
  });
}

function wakeAll(wakers: ReadonlySet<() => void>): void {
  for (const wake of [...wakers]) wake();
}
