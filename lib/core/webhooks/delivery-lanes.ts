/**
 * How many deliveries may run at once, so that a receiver that hangs does not delay the others. An attempt starts in
 * the fast lane; one that takes longer than `slowAfterMs` moves to the slow lane, which holds many. A webhook that is
 * failing or has a slow attempt gets no second one.
 */
export const laneLimits = {
  slowAfterMs: 1_000,
  /** Per webhook, until its receiver has shown how fast it is. */
  perWebhook: 4,
  /** Per webhook whose receiver has shown that it is fast. */
  maxPerWebhook: 32,
  /** An attempt accepted within this time raises its webhook's limit by one. */
  fastMs: 250,
  quickPerAccount: 64,
  quick: 256,
  /** Slow attempts beyond this many count as quick ones. */
  slow: 512,
  /** Attempts to webhooks that failed last time. */
  failing: 256,
} as const;

/** Running attempts. */
export interface Load {
  readonly quick: number;
  readonly slow: number;
  readonly failing: number;
  readonly quickByAccount: ReadonlyMap<string, number>;
  readonly byWebhook: ReadonlyMap<string, { readonly quick: number; readonly slow: number }>;
  /** How many each webhook may have at once, where that is not `perWebhook`. */
  readonly ownLimits: ReadonlyMap<string, number>;
}

/** A webhook with due deliveries. */
export interface Waiting {
  readonly webhookId: string;
  readonly userId: string;
  readonly failing: boolean;
  /** How many deliveries are due. */
  readonly due: number;
}

/** How many attempts each webhook may begin now. Webhooks with fewer running attempts come first. */
export function shareSlots(load: Load, waiting: readonly Waiting[]): Map<string, number> {
  const shares = new Map<string, number>();
  const accounts = new Map(load.quickByAccount);
  let free = laneLimits.quick - load.quick - Math.max(0, load.slow - laneLimits.slow);
  let freeFailing = laneLimits.failing - load.failing;
  const running = ({ webhookId }: Waiting) => {
    const { quick = 0, slow = 0 } = load.byWebhook.get(webhookId) ?? {};
    return quick + slow;
  };
  for (const one of [...waiting].sort((a, b) => running(a) - running(b))) {
    const { webhookId, userId, failing, due } = one;
    const used = accounts.get(userId) ?? 0;
    const wanted = Math.min(due, ownLimit(load, one) - running(one));
    const share = Math.min(wanted, free, laneLimits.quickPerAccount - used, failing ? freeFailing : Infinity);
    if (share <= 0) continue;
    shares.set(webhookId, share);
    accounts.set(userId, used + share);
    free -= share;
    if (failing) freeFailing -= share;
  }
  return shares;
}

function ownLimit(load: Load, { webhookId, failing }: Waiting): number {
  if (failing) return 1;
  if ((load.byWebhook.get(webhookId)?.slow ?? 0) > 0) return 0;
  return load.ownLimits.get(webhookId) ?? laneLimits.perWebhook;
}

/**
 * How many attempts a webhook may have at once after one of them has ended: doubled in a round while its receiver
 * accepts quickly, halved by one that takes its time, and back to the beginning after a failure.
 */
export function limitAfter(
  limit: number,
  ended: { readonly accepted: boolean; readonly ms: number },
): number {
  const { perWebhook, maxPerWebhook, fastMs, slowAfterMs } = laneLimits;
  if (!ended.accepted || ended.ms >= slowAfterMs) return perWebhook;
  if (ended.ms >= fastMs) return Math.max(perWebhook, Math.floor(limit / 2));
  return Math.min(maxPerWebhook, limit + 1);
}
