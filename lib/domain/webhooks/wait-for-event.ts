import { AppError } from '@/lib/core/errors';
import type { Logger } from '@/lib/infra/logger';
import { listen, type Listener } from '@/lib/infra/notifications';

/** Maximum number of waiting requests per process. */
const maxWaiting = 200;

interface WaitingRequests {
  readonly listeners: Set<() => void>;
  listener: Listener | null;
}

// Stored on globalThis, because Next may load this module once per route.
const globals = globalThis as typeof globalThis & { headwaterEventWaiting?: WaitingRequests };

/**
 * Resolves after the next commit of an event of any team, or after `ms`. All waiting requests share one database
 * connection, which is closed when none is left.
 * @throws AppError `unavailable` if too many requests wait
 */
export function waitForEvent(databaseUrl: string, log: Logger, ms: number): Promise<void> {
  const waiting = (globals.headwaterEventWaiting ??= { listeners: new Set(), listener: null });
  const { listeners } = waiting;
  if (listeners.size >= maxWaiting)
    throw new AppError('unavailable', 'too many requests are waiting for events', { retryAfter: 5 });
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      listeners.delete(wake);
      resolve();
      if (listeners.size > 0) return;
      void waiting.listener?.close();
      waiting.listener = null;
    };
    const timer = setTimeout(wake, ms);
    listeners.add(wake);
    waiting.listener ??= listen(databaseUrl, 'event_written', () => notifyAll(listeners), log);
  });
}

function notifyAll(listeners: ReadonlySet<() => void>): void {
  for (const wake of [...listeners]) wake();
}
