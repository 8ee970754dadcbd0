/**
 * Limits of concurrent attempts, so that a receiver that does not respond does not delay deliveries to others. An attempt
 * starts in the quick lane and moves to the larger slow lane after `slowAfterMs`. A webhook that is failing or has a slow
 * attempt gets no second attempt.
 */
export const laneLimits = {
  slowAfterMs: 1_000,
  /** Initial limit of a webhook. */
  perWebhook: 4,
  /** Maximum limit of a webhook whose receiver is fast. */
  maxPerWebhook: 32,
  /** An attempt accepted within this time raises the limit of its webhook by one. */
  fastMs: 250,
  quickPerTeam: 64,
  quick: 256,
  /** Slow attempts above this number count as quick. */
  slow: 512,
  /** Attempts of webhooks whose last attempt failed. */
  failing: 256,
} as const;

/** Numbers of running attempts. */
export interface DeliveryLoad {
  readonly quick: number;
  readonly slow: number;
  readonly failing: number;
  readonly quickByTeam: ReadonlyMap<string, number>;
  readonly byWebhook: ReadonlyMap<string, { readonly quick: number; readonly slow: number }>;
  /** Limits of webhooks that differ from `perWebhook`. */
  readonly ownLimits: ReadonlyMap<string, number>;
}

/** A webhook with due deliveries. */
export interface WaitingWebhook {
  readonly webhookId: string;
  readonly teamId: string;
  /** Whether its last attempt failed. */
  readonly failing: boolean;
  /** Number of due deliveries. */
  readonly due: number;
}

/**
 * Assigns the free slots to webhooks: how many attempts each webhook may start now. Webhooks with fewer running attempts
 * come first.
 */
export function assignSlots(
  load: DeliveryLoad,
  waitingWebhooks: readonly WaitingWebhook[],
): Map<string, number> {
  const slotsByWebhook = new Map<string, number>();
  const quickByTeam = new Map(load.quickByTeam);
  let freeSlots = laneLimits.quick - load.quick - Math.max(0, load.slow - laneLimits.slow);
  let freeFailingSlots = laneLimits.failing - load.failing;
  const runningOf = ({ webhookId }: WaitingWebhook) => {
    const { quick = 0, slow = 0 } = load.byWebhook.get(webhookId) ?? {};
    return quick + slow;
  };
  for (const webhook of [...waitingWebhooks].sort((a, b) => runningOf(a) - runningOf(b))) {
    const { webhookId, teamId, failing, due } = webhook;
    const runningOfTeam = quickByTeam.get(teamId) ?? 0;
    const requestedSlots = Math.min(due, limitOfWebhook(load, webhook) - runningOf(webhook));
    const slotCount = Math.min(
      requestedSlots,
      freeSlots,
      laneLimits.quickPerTeam - runningOfTeam,
      failing ? freeFailingSlots : Infinity,
    );
    if (slotCount <= 0) continue;
    slotsByWebhook.set(webhookId, slotCount);
    quickByTeam.set(teamId, runningOfTeam + slotCount);
    freeSlots -= slotCount;
    if (failing) freeFailingSlots -= slotCount;
  }
  return slotsByWebhook;
}

function limitOfWebhook(load: DeliveryLoad, { webhookId, failing }: WaitingWebhook): number {
  if (failing) return 1;
  if ((load.byWebhook.get(webhookId)?.slow ?? 0) > 0) return 0;
  return load.ownLimits.get(webhookId) ?? laneLimits.perWebhook;
}

/**
 * The limit of a webhook after one of its attempts: raised by one if it was accepted within `fastMs`, halved if it took
 * longer, and reset to `perWebhook` after a slow or failed attempt.
 */
export function nextWebhookLimit(
  limit: number,
  attempt: { readonly accepted: boolean; readonly ms: number },
): number {
  const { perWebhook, maxPerWebhook, fastMs, slowAfterMs } = laneLimits;
  if (!attempt.accepted || attempt.ms >= slowAfterMs) return perWebhook;
  if (attempt.ms >= fastMs) return Math.max(perWebhook, Math.floor(limit / 2));
  return Math.min(maxPerWebhook, limit + 1);
}
