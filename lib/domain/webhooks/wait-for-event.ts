import { AppError } from '@/lib/core/errors';
import type { Logger } from '@/lib/infra/logger';
import { listen, type Listener } from '@/lib/infra/notifications';

/** Maximum number of waiting requests per process. */
const MAX_WAITING_REQUESTS = 200;

interface WaitingRequests {
  readonly listeners: Set<() => void>;
  listener: Listener | null;
}

// Stored on globalThis, because Next may load this module once per route.
const globals = globalThis as typeof globalThis & { headwaterEventWaiting?: WaitingRequests };

/**
 * Resolves at the next `event_written` notification, for any team, or after `timeoutMs`. All waiting requests share one
 * database connection, which is closed with the last request.
 * @throws AppError `unavailable` if too many requests wait
 */
export function waitForEvent(databaseUrl: string, log: Logger, timeoutMs: number): Promise<void> {
  const waitingRequests = (globals.headwaterEventWaiting ??= { listeners: new Set(), listener: null });
  const { listeners } = waitingRequests;
  if (listeners.size >= MAX_WAITING_REQUESTS)
    throw new AppError('unavailable', 'too many requests are waiting for events', { retryAfter: 5 });
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      listeners.delete(wake);
      resolve();
      if (listeners.size > 0) return;
      void waitingRequests.listener?.close();
      waitingRequests.listener = null;
    };
    const timer = setTimeout(wake, timeoutMs);
    listeners.add(wake);
    waitingRequests.listener ??= listen(databaseUrl, 'event_written', () => notifyAll(listeners), log);
  });
}

function notifyAll(listeners: ReadonlySet<() => void>): void {
  for (const wake of [...listeners]) wake();
}
