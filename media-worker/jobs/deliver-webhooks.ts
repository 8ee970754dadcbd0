import { LRUCache } from 'lru-cache';
import type { SystemContext } from '@/lib/context';
import { laneLimits, limitAfter, shareSlots, type Load } from '@/lib/core/delivery-lanes';
import type { Egress } from '@/lib/infra/egress';
import { claimDeliveries, deliver, listWaiting, OutcomeWriter, type ClaimedDelivery } from '@/lib/webhooks';

/** What webhooks have earned is forgotten when they get nothing for a while. */
const earned = { max: 1_000, ttl: 60_000 };

interface Running {
  readonly claimed: ClaimedDelivery;
  readonly done: Promise<void>;
  slow: boolean;
}

interface Options {
  /** Called when something may have become due, or a place free. */
  readonly wake: () => void;
  /** For one attempt; tests shorten it. */
  readonly timeoutMs?: number;
  /** After which another process takes over; tests shorten it. */
  readonly leaseMs?: number;
}

/** The deliveries that this process makes, within the limits of lib/core/delivery-lanes.ts. */
export class WebhookDeliveries {
  readonly #ctx: SystemContext;
  readonly #egress: Egress;
  readonly #options: Options;
  readonly #running = new Set<Running>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #ending = new AbortController();
  readonly #writer: OutcomeWriter;
  readonly #limits = new LRUCache<string, number>(earned);

  constructor(ctx: SystemContext, egress: Egress, options: Options) {
    this.#ctx = ctx;
    this.#egress = egress;
    this.#options = options;
    this.#writer = new OutcomeWriter(ctx, this.#ending.signal);
  }

  /** Begins what is due and has a place; does not wait for the receivers. One call at a time. */
  async look(): Promise<void> {
    if (this.#ending.signal.aborted) return;
    const load = this.#load();
    const waiting = await listWaiting(this.#ctx, Math.max(laneLimits.perWebhook, ...load.ownLimits.values()));
    const due = waiting.map((one) => ({ ...one, due: one.deliveryIds.length }));
    const shares = shareSlots(this.#load(), due);
    const ids = waiting.flatMap(({ webhookId, deliveryIds }) =>
      deliveryIds.slice(0, shares.get(webhookId) ?? 0),
    );
    if (ids.length === 0) return;
    for (const claimed of await claimDeliveries(this.#ctx, ids, this.#options.leaseMs)) this.#start(claimed);
  }

  /** Gives up what is under way, so that the next process makes it at once. May be called twice. */
  async close(): Promise<void> {
    this.#ending.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all([...this.#running].map(({ done }) => done));
  }

  #start(claimed: ClaimedDelivery): void {
    const { signal } = this.#ending;
    const { timeoutMs } = this.#options;
    const slowTimer = this.#later(laneLimits.slowAfterMs, () => {
      running.slow = true;
      this.#options.wake();
    });
    const writer = this.#writer;
    const options = { signal, writer, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    const done = deliver(this.#ctx, this.#egress, claimed, options).then(
      ({ accepted, durationMs, nextAt }) => {
        this.#running.delete(running);
        this.#cancel(slowTimer);
        const limit = this.#limits.get(claimed.webhookId) ?? laneLimits.perWebhook;
        this.#limits.set(claimed.webhookId, limitAfter(limit, { accepted, ms: durationMs }));
        this.#wakeAt(nextAt);
        this.#options.wake();
      },
    );
    const running: Running = { claimed, done, slow: false };
    this.#running.add(running);
  }

  /** For gaps shorter than the turns of the loop; longer ones are found by it. */
  #wakeAt(nextAt: Date | null): void {
    const ms = nextAt === null ? Infinity : nextAt.getTime() - this.#ctx.clock.now().getTime();
    if (ms <= laneLimits.slowAfterMs) this.#later(Math.max(1, ms), () => this.#options.wake());
  }

  #later(ms: number, work: () => void): NodeJS.Timeout | undefined {
    if (this.#ending.signal.aborted) return undefined;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }

  #cancel(timer: NodeJS.Timeout | undefined): void {
    if (!timer) return;
    clearTimeout(timer);
    this.#timers.delete(timer);
  }

  #load(): Load {
    const all = [...this.#running];
    const byWebhook = new Map<string, { quick: number; slow: number }>();
    const quickByAccount = new Map<string, number>();
    for (const { claimed, slow } of all) {
      const { quick, slow: slowOnes } = byWebhook.get(claimed.webhookId) ?? { quick: 0, slow: 0 };
      byWebhook.set(
        claimed.webhookId,
        slow ? { quick, slow: slowOnes + 1 } : { quick: quick + 1, slow: slowOnes },
      );
      if (!slow) quickByAccount.set(claimed.userId, (quickByAccount.get(claimed.userId) ?? 0) + 1);
    }
    const slow = all.filter((one) => one.slow).length;
    const failing = all.filter(({ claimed }) => claimed.failing).length;
    const ownLimits = new Map(this.#limits.entries());
    return { quick: all.length - slow, slow, failing, quickByAccount, byWebhook, ownLimits };
  }
}
