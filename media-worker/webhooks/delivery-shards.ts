import { LRUCache } from 'lru-cache';
import type { SystemContext } from '@/lib/context';
import { shardOf, type Shard } from '@/lib/contract/jobs';
import { laneLimits, limitAfter, shareSlots, type Load } from '@/lib/core/webhooks/delivery-lanes';
import type { Egress } from '@/lib/infra/egress/egress';
import {
  startDeliveries,
  deliver,
  listDue,
  OutcomeWriter,
  planShards,
  type StartedDelivery,
  type DueDeliveries,
} from '@/lib/webhooks';
import { HeldShard, type HeldWebhook, type RunningAttempt } from './held-shard';

/** What webhooks have earned is forgotten when they get nothing for a while. */
const earned = { max: 1_000, ttl: 60_000 };
/** A shard with nothing to do keeps its job for so long: the next event is delivered without a call to the queue. */
const lingerMs = 5_000;
/** Rows that another transaction holds are looked for again after this time. */
const heldMs = 100;
/** After a statement that failed. */
const retryMs = 1_000;

interface Options {
  /** For one attempt; tests shorten it. */
  readonly timeoutMs?: number;
  readonly lingerMs?: number;
}

/** The shards that this process delivers, all of them together, within the limits of lib/core/webhooks/delivery-lanes.ts. */
export class DeliveryShards {
  readonly #ctx: SystemContext;
  readonly #egress: Egress;
  readonly #options: Options;
  readonly #held = new Map<Shard, HeldShard>();
  readonly #ending = new AbortController();
  readonly #writer: OutcomeWriter;
  readonly #limits = new LRUCache<string, number>(earned);
  #isLooking = false;
  #lookAgain = false;

  constructor(ctx: SystemContext, egress: Egress, options: Options = {}) {
    this.#ctx = ctx;
    this.#egress = egress;
    this.#options = options;
    this.#writer = new OutcomeWriter(ctx, this.#ending.signal);
  }

  /** Something is due for a webhook. @returns whether this process delivers to it */
  wake(webhookId: string): boolean {
    const held = this.#held.get(shardOf(webhookId));
    if (!held?.isOpen) return false;
    held.webhook(webhookId).mayBeDue = true;
    this.#look();
    return true;
  }

  /** Results that cannot be written are left behind from now on: the process ends. */
  close(): void {
    this.#ending.abort();
  }

  /** Delivers what is due in a shard, until nothing was for a while. One call of a shard at a time. */
  async deliver(shard: Shard, signal: AbortSignal): Promise<void> {
    const held = new HeldShard(shard, signal, this.#options.lingerMs ?? lingerMs);
    this.#held.set(shard, held);
    this.#look();
    try {
      await held.over();
    } finally {
      this.#held.delete(shard);
    }
  }

  #open(): HeldShard[] {
    return [...this.#held.values()].filter(({ isOpen }) => isOpen);
  }

  /** Looks for what is due, for all shards together, and once for all that happens in this turn of the event loop. */
  readonly #look = (): void => {
    this.#lookAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    setImmediate(() => void this.#looks());
  };

  async #looks(): Promise<void> {
    while (this.#lookAgain) {
      this.#lookAgain = false;
      const shards = this.#open();
      const looking = this.#beginInPlaces(shards);
      for (const shard of shards) shard.looking = looking;
      await looking;
      for (const shard of shards) {
        shard.looking = null;
        for (const { webhookId, isIdle } of shard.webhooks.values())
          if (isIdle) shard.webhooks.delete(webhookId);
      }
    }
    this.#isLooking = false;
  }

  /** Begins what is due and has a place. */
  async #beginInPlaces(shards: readonly HeldShard[]): Promise<void> {
    let asked: readonly HeldWebhook[] = [];
    try {
      await this.#readNew(shards.filter(({ isNew }) => isNew));
      asked = this.#webhooksWithPlace(shards);
      for (const webhook of asked) webhook.mayBeDue = false;
      if (asked.length > 0) await this.#beginDue(asked);
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'due deliveries could not be read');
      for (const webhook of asked) webhook.mayBeDue = true;
      setTimeout(this.#look, retryMs).unref();
      return;
    }
    for (const { shard } of asked) shard.stir();
    // Those that were asked may have left places over.
    const known = new Set(asked);
    if (asked.length > 0 && waiting(shards).some((webhook) => !known.has(webhook))) this.#look();
  }

  /** Finds the webhooks of newly acquired shards. */
  async #readNew(shards: readonly HeldShard[]): Promise<void> {
    if (shards.length === 0) return;
    const planned = await planShards(
      this.#ctx,
      shards.map(({ shard }) => shard),
    );
    const byShard = new Map(shards.map((held) => [held.shard, held]));
    for (const { webhookId, delayMs } of planned) {
      const webhook = byShard.get(shardOf(webhookId))?.webhook(webhookId);
      if (delayMs > 0) webhook?.lookIn(delayMs, this.#look);
      else if (webhook) webhook.mayBeDue = true;
    }
    for (const held of shards) {
      held.isNew = false;
      held.stir();
    }
  }

  /** Those of which something may be due and may begin. */
  #webhooksWithPlace(shards: readonly HeldShard[]): HeldWebhook[] {
    const maybe = waiting(shards);
    if (maybe.length === 0) return [];
    const known = maybe.flatMap(({ webhookId, account }) =>
      account ? [{ webhookId, ...account, due: 1 }] : [],
    );
    const shares = shareSlots(this.#load(), known);
    return maybe.filter(({ webhookId, account }) => !account || shares.has(webhookId));
  }

  /** Does not wait for the receivers. */
  async #beginDue(asked: readonly HeldWebhook[]): Promise<void> {
    const byId = new Map(asked.map((webhook) => [webhook.webhookId, webhook]));
    // One more than may begin, which says whether there is more.
    const wanted = asked.map(({ webhookId }) => ({ webhookId, most: this.#limitOf(webhookId) + 1 }));
    const underWay = asked.flatMap(({ running }) => [...running].map(({ started }) => started.id));
    const found = await listDue(this.#ctx, wanted, underWay);
    const counted = found.map(({ deliveries, ...one }) => ({ ...one, due: deliveries.length }));
    const shares = shareSlots(this.#load(), counted);
    const due = found.flatMap((one) =>
      this.#take(byId.get(one.webhookId), one, shares.get(one.webhookId) ?? 0),
    );
    if (due.length === 0) return;
    const started = await startDeliveries(this.#ctx, due);
    for (const one of started) {
      const webhook = byId.get(one.webhookId);
      if (webhook) this.#start(webhook, one);
    }
    const ids = new Set(started.map(({ id }) => id));
    for (const { id, webhook } of due) if (!ids.has(id)) webhook.lookIn(heldMs, this.#look);
  }

  #take(webhook: HeldWebhook | undefined, found: DueDeliveries, share: number) {
    if (!webhook?.shard.isOpen) return [];
    const { userId, failing, deliveries, nextMs } = found;
    webhook.account = { userId, failing };
    if (share < deliveries.length) webhook.mayBeDue = true;
    if (nextMs !== null) webhook.lookIn(nextMs, this.#look);
    return deliveries.slice(0, share).map((one) => ({ ...one, webhook }));
  }

  #start(webhook: HeldWebhook, started: StartedDelivery): void {
    const { webhookId, shard } = webhook;
    const slowTimer = setTimeout(() => {
      running.slow = true;
      this.#look();
    }, laneLimits.slowAfterMs);
    const { timeoutMs } = this.#options;
    const { signal } = shard;
    const options = { signal, writer: this.#writer, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    const done = deliver(this.#ctx, this.#egress, started, options).then(
      ({ accepted, durationMs, nextAt }) => {
        webhook.running.delete(running);
        clearTimeout(slowTimer);
        this.#limits.set(webhookId, limitAfter(this.#limitOf(webhookId), { accepted, ms: durationMs }));
        // Both times are the database's.
        if (nextAt) webhook.lookIn(nextAt.getTime() - started.startedAt.getTime() - durationMs, this.#look);
        shard.stir();
        this.#look();
      },
    );
    const running: RunningAttempt = { started, done, slow: false };
    webhook.running.add(running);
  }

  #limitOf(webhookId: string): number {
    return this.#limits.get(webhookId) ?? laneLimits.perWebhook;
  }

  #load(): Load {
    const byWebhook = new Map<string, { quick: number; slow: number }>();
    const quickByAccount = new Map<string, number>();
    const ownLimits = new Map<string, number>();
    const load = { quick: 0, slow: 0, failing: 0 };
    for (const { webhooks } of this.#held.values()) {
      for (const { webhookId, running } of webhooks.values()) {
        const counted = { quick: 0, slow: 0 };
        for (const { started, slow } of running) {
          counted[slow ? 'slow' : 'quick'] += 1;
          if (started.failing) load.failing += 1;
          if (!slow) quickByAccount.set(started.userId, (quickByAccount.get(started.userId) ?? 0) + 1);
        }
        byWebhook.set(webhookId, counted);
        ownLimits.set(webhookId, this.#limitOf(webhookId));
        load.quick += counted.quick;
        load.slow += counted.slow;
      }
    }
    return { ...load, quickByAccount, byWebhook, ownLimits };
  }
}

const waiting = (shards: readonly HeldShard[]): HeldWebhook[] =>
  shards.flatMap(({ webhooks }) => [...webhooks.values()].filter(({ mayBeDue }) => mayBeDue));
