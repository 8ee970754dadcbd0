import { hourMs } from '@/lib/core/units';
import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';

/**
 * The delivery of one event to one webhook. `pending`: an attempt is due, planned or running. `ok`: accepted. `failed`: no
 * attempts left. `skipped`: the webhook was disabled or deleted before the delivery was sent.
 *
 * `accepted`: a 2xx response, which a superseded attempt can get after the delivery has failed or was skipped. `refused`:
 * any other result, with attempts left. `exhausted`: any other result, without attempts left. `gone`: status 410.
 * `skipped`: the webhook is disabled or deleted. `resent`: the owner resends the delivery, in any state.
 * `failures_resent`: the owner resends all failed and skipped deliveries.
 */
export const deliveryMachine = defineMachine({
  states: ['pending', 'ok', 'failed', 'skipped'],
  events: {
    accepted: { pending: 'ok', ok: 'ok', failed: 'ok', skipped: 'ok' },
    refused: { pending: 'pending' },
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

const maxFailingMs = 72 * hourMs;
const maxGivenUp = 20;

/** Whether to disable the webhook. */
export function shouldDisable({ failingForMs, givenUp }: FailureRecord): boolean {
  return failingForMs !== null && failingForMs >= maxFailingMs && givenUp >= maxGivenUp;
}
