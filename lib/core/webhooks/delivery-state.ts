import { HOUR_MS } from '@/lib/core/units';
import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';

/**
 * The states of the delivery of one event to one webhook. `pending`: an attempt is due, planned or running. `ok`: the
 * webhook accepted the event. `failed`: no attempts are left. `skipped`: the webhook was disabled or deleted before it
 * accepted the event.
 *
 * `accepted`: the response was 2xx, which an earlier attempt can still get after the delivery has failed or was skipped.
 * `rejected`: any other result, with attempts left. `exhausted`: any other result, without attempts left. `gone`: the status
 * was 410. `skipped`: the webhook is disabled or deleted. `resent`: the owner resends the delivery, in any state.
 * `failures_resent`: the owner resends all failed and skipped deliveries.
 */
export const deliveryMachine = defineMachine({
  states: ['pending', 'ok', 'failed', 'skipped'],
  events: {
    accepted: { pending: 'ok', ok: 'ok', failed: 'ok', skipped: 'ok' },
    rejected: { pending: 'pending' },
    exhausted: { pending: 'failed' },
    gone: { pending: 'failed' },
    skipped: { pending: 'skipped' },
    resent: { pending: 'pending', ok: 'pending', failed: 'pending', skipped: 'pending' },
    failures_resent: { failed: 'pending', skipped: 'pending' },
  },
});
export type DeliveryState = StateOf<typeof deliveryMachine>;
export type DeliveryEvent = EventOf<typeof deliveryMachine>;

/** The state of a new delivery, for an enabled and a disabled webhook. */
export const firstDeliveryState = { enabled: 'pending', disabled: 'skipped' } as const satisfies Record<
  string,
  DeliveryState
>;

/** Failures of a webhook since it last accepted a delivery. */
export interface FailureRecord {
  /** Milliseconds since the first failure; null without failures. */
  readonly failingForMs: number | null;
  /** Number of failed deliveries in that time. */
  readonly givenUp: number;
}

/** Both limits must be reached, so that neither an outage of hours nor one bad event disables a webhook. */
const MAX_FAILING_MS = 72 * HOUR_MS;
const MAX_GIVEN_UP = 20;

/** Whether a webhook must be disabled because of its failures. */
export function shouldDisable({ failingForMs, givenUp }: FailureRecord): boolean {
  return failingForMs !== null && failingForMs >= MAX_FAILING_MS && givenUp >= MAX_GIVEN_UP;
}
