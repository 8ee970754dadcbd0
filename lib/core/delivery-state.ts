/**
 * One event on its way to one webhook. `pending`: an attempt is due, planned or under way. `ok`: accepted.
 * `failed`: given up. `skipped`: the webhook was switched off or deleted before it could be sent.
 */
export const deliveryStates = ['pending', 'ok', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/**
 * `accepted`: a 2xx reply. `refused`: anything else, with tries left. `exhausted`: the same, without.
 * `gone`: the reply 410. `switched_off`: nobody is there to send to. `resent`: somebody asks for it again.
 */
export const deliveryEvents = ['accepted', 'refused', 'exhausted', 'gone', 'switched_off', 'resent'] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];

type Row = Readonly<Record<DeliveryEvent, DeliveryState | null>>;

const table: Readonly<Record<DeliveryState, Row>> = {
  pending: {
    accepted: 'ok',
    refused: 'pending',
    exhausted: 'failed',
    gone: 'failed',
    switched_off: 'skipped',
    resent: 'pending',
  },
  // Attempts whose lease ran out may end after the decision: they were accepted all the same, but undo nothing.
  ok: { accepted: 'ok', refused: null, exhausted: null, gone: null, switched_off: null, resent: 'pending' },
  failed: {
    accepted: 'ok',
    refused: null,
    exhausted: null,
    gone: null,
    switched_off: null,
    resent: 'pending',
  },
  skipped: {
    accepted: 'ok',
    refused: null,
    exhausted: null,
    gone: null,
    switched_off: null,
    resent: 'pending',
  },
};

/** The state that follows; null when this cannot happen in it, and nothing changes. */
export function nextDeliveryState(state: DeliveryState, event: DeliveryEvent): DeliveryState | null {
  return table[state][event];
}

/** States in which an event is taken notice of: for conditional updates. */
export function statesBefore(event: DeliveryEvent): DeliveryState[] {
  return deliveryStates.filter((state) => table[state][event] !== null);
}

/** How a webhook has done since it last accepted something. */
export interface FailureRecord {
  /** Since its first failure; null when there is none. */
  readonly failingForMs: number | null;
  /** Deliveries given up in that time. */
  readonly givenUp: number;
}

const failingTooLongMs = 72 * 3_600_000;
const givenUpTooOften = 20;

/** Is it time to stop sending? Only after days of nothing but failure (reliability §1.2 item 6). */
export function isHopeless({ failingForMs, givenUp }: FailureRecord): boolean {
  return failingForMs !== null && failingForMs >= failingTooLongMs && givenUp >= givenUpTooOften;
}
