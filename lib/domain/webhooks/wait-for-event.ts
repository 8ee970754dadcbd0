import { AppError } from '@/lib/core/errors';
import type { Logger } from '@/lib/infra/logger';
import { listen, type Listener } from '@/lib/infra/notifications';

/** Maximum number of waiting requests per process. */
const MAX_WAITING_REQUESTS = 200;

interface WaitingRequests {
  /** Functions that end the wait of a request. */
  readonly wakeFunctions: Set<() => void>;
  /** Database connection that listens for all requests; null while none waits. */
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
  const waitingRequests = (globals.headwaterEventWaiting ??= { wakeFunctions: new Set(), listener: null });
  const { wakeFunctions } = waitingRequests;
  if (wakeFunctions.size >= MAX_WAITING_REQUESTS)
    throw new AppError('unavailable', 'too many requests are waiting for events', { retryAfter: 5 });
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      wakeFunctions.delete(wake);
      resolve();
      if (wakeFunctions.size > 0) return;
      void waitingRequests.listener?.close();
      waitingRequests.listener = null;
    };
    const timer = setTimeout(wake, timeoutMs);
    wakeFunctions.add(wake);
    waitingRequests.listener ??= listen(databaseUrl, 'event_written', () => wakeAll(wakeFunctions), log);
  });
}

function wakeAll(wakeFunctions: ReadonlySet<() => void>): void {
  // Copied, because each function removes itself from the set.
  for (const wake of [...wakeFunctions]) wake();
}
