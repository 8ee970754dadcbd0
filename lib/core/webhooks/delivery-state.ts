/**
 * One event on its way to one webhook. `pending`: an attempt is due, planned or under way. `ok`: accepted.
 * `failed`: given up. `skipped`: the webhook was switched off or deleted before it could be sent.
 */
export const deliveryStates = ['pending', 'ok', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/**
 * `accepted`: a 2xx reply. `refused`: anything else, with tries left. `exhausted`: the same, without.
 * `gone`: the reply 410. `switched_off`: the webhook is disabled or deleted. `resent`: its owner resends it, in any
 * state. `failures_resent`: its owner resends all that were not accepted.
 */
export const deliveryEvents = [
  'accepted',
  'refused',
  'exhausted',
  'gone',
  'switched_off',
  'resent',
  'failures_resent',
] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];

const transitions: Readonly<
  Record<DeliveryEvent, { readonly from: readonly DeliveryState[]; readonly to: DeliveryState }>
> = {
  // An attempt whose lease expired may end after the decision: it counts as accepted, but undoes nothing.
  accepted: { from: deliveryStates, to: 'ok' },
  refused: { from: ['pending'], to: 'pending' },
  exhausted: { from: ['pending'], to: 'failed' },
  gone: { from: ['pending'], to: 'failed' },
  switched_off: { from: ['pending'], to: 'skipped' },
  resent: { from: deliveryStates, to: 'pending' },
  failures_resent: { from: ['failed', 'skipped'], to: 'pending' },
};

/** The state of a new delivery, by whether its webhook is switched off. */
export const firstDeliveryState = { enabled: 'pending', disabled: 'skipped' } as const satisfies Record<
  string,
  DeliveryState
>;

/** The state that follows; null when this cannot happen in it, and nothing changes. */
export function nextDeliveryState(state: DeliveryState, event: DeliveryEvent): DeliveryState | null {
  const { from, to } = transitions[event];
  return from.includes(state) ? to : null;
}

/** States in which an event is taken notice of: for conditional updates. */
export const deliveryStatesBefore = (event: DeliveryEvent): DeliveryState[] => [...transitions[event].from];

/** Where an event leads to. */
export const deliveryStateAfter = (event: DeliveryEvent): DeliveryState => transitions[event].to;

/** How a webhook has done since it last accepted something. */
export interface FailureRecord {
  /** Since its first failure; null when there is none. */
  readonly failingForMs: number | null;
  /** Deliveries given up in that time. */
  readonly givenUp: number;
}

const maxFailingMs = 72 * 3_600_000;
const maxGivenUp = 20;

/** Whether to disable the webhook: only after days in which every attempt failed. */
export function shouldDisable({ failingForMs, givenUp }: FailureRecord): boolean {
  return failingForMs !== null && failingForMs >= maxFailingMs && givenUp >= maxGivenUp;
}
