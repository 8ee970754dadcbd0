/**
 * The delivery of one event to one webhook. `pending`: an attempt is due, planned or running. `ok`: accepted.
 * `failed`: no attempts left. `skipped`: the webhook was disabled or deleted before the delivery was sent.
 */
export const deliveryStates = ['pending', 'ok', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/**
 * `accepted`: a 2xx response. `refused`: any other result, with attempts left. `exhausted`: the same without attempts
 * left. `gone`: status 410. `skipped`: the webhook is disabled or deleted. `resent`: the owner resends the delivery, in
 * any state. `failures_resent`: the owner resends all failed and skipped deliveries.
 */
export const deliveryEvents = [
  'accepted',
  'refused',
  'exhausted',
  'gone',
  'skipped',
  'resent',
  'failures_resent',
] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];

const transitions: Readonly<
  Record<DeliveryEvent, { readonly from: readonly DeliveryState[]; readonly to: DeliveryState }>
> = {
  // A superseded attempt can be accepted after the delivery has failed or was skipped.
  accepted: { from: deliveryStates, to: 'ok' },
  refused: { from: ['pending'], to: 'pending' },
  exhausted: { from: ['pending'], to: 'failed' },
  gone: { from: ['pending'], to: 'failed' },
  skipped: { from: ['pending'], to: 'skipped' },
  resent: { from: deliveryStates, to: 'pending' },
  failures_resent: { from: ['failed', 'skipped'], to: 'pending' },
};

/** The state of a new delivery, depending on whether its webhook is enabled. */
export const firstDeliveryState = { enabled: 'pending', disabled: 'skipped' } as const satisfies Record<
  string,
  DeliveryState
>;

/** The state after an event; null if the event is not allowed in this state. */
export function nextDeliveryState(state: DeliveryState, event: DeliveryEvent): DeliveryState | null {
  const { from, to } = transitions[event];
  return from.includes(state) ? to : null;
}

/** The states in which an event is allowed, for conditional updates. */
export const deliveryStatesBefore = (event: DeliveryEvent): DeliveryState[] => [...transitions[event].from];

/** The state after an event that is allowed. */
export const deliveryStateAfter = (event: DeliveryEvent): DeliveryState => transitions[event].to;

/** Failures of a webhook since it last accepted a delivery. */
export interface FailureRecord {
  /** Milliseconds since the first failure; null if there is none. */
  readonly failingForMs: number | null;
  /** Failed deliveries in that time. */
  readonly givenUp: number;
}

const maxFailingMs = 72 * 3_600_000;
const maxGivenUp = 20;

/** Whether to disable the webhook. */
export function shouldDisable({ failingForMs, givenUp }: FailureRecord): boolean {
  return failingForMs !== null && failingForMs >= maxFailingMs && givenUp >= maxGivenUp;
}
