import { LRUCache } from 'lru-cache';
import { omitUndefined } from '@/lib/core/omit-undefined';
import type { SystemContext } from '@/lib/domain/context';
import { shardOf, type Shard } from '@/lib/contract/jobs';
import type { DeliveryLoad } from '@/lib/core/webhooks/delivery-lanes';
import { assignSlots, laneLimits, nextWebhookLimit } from '@/lib/core/webhooks/delivery-lanes';
import type { Egress } from '@/lib/infra/egress/egress';
import { metrics } from '@/lib/infra/metrics/metrics';
import {
  startDeliveries,
  deliver,
  listDue,
  OutcomeWriter,
  planShards,
  type StartedDelivery,
  type DueDeliveries,
} from '@/lib/domain/webhooks';
import { ActiveShard, type ActiveWebhook, type RunningAttempt } from './active-shard';

/** Cache of the concurrency limits of webhooks. The limit of a webhook without an attempt for a minute is reset. */
const limitCache = { max: 1_000, ttl: 60_000 };
/** An idle shard keeps its job for this long, so that the next event is delivered without a call to the queue. */
const LINGER_MS = 5_000;
/** Delay before rows that another transaction has locked are checked again. */
const LOCKED_RETRY_DELAY_MS = 100;
/** Delay after a failed query. */
const QUERY_RETRY_DELAY_MS = 1_000;

interface DeliveryShardsOptions {
  /** Timeout of one attempt; tests shorten it. */
  readonly timeoutMs?: number;
  readonly lingerMs?: number;
}

/** Delivers the shards (sixteenths of all webhooks) of this process, within the limits of lib/core/webhooks/delivery-lanes.ts. */
export class DeliveryShards {
  readonly #ctx: SystemContext;
  readonly #egress: Egress;
  readonly #options: DeliveryShardsOptions;
  readonly #shards = new Map<Shard, ActiveShard>();
  readonly #closeController = new AbortController();
  readonly #writer: OutcomeWriter;
  readonly #limits = new LRUCache<string, number>(limitCache);
  #isChecking = false;
  #checkRequested = false;

  constructor(ctx: SystemContext, egress: Egress, options: DeliveryShardsOptions = {}) {
    this.#ctx = ctx;
    this.#egress = egress;
    this.#options = options;
    this.#writer = new OutcomeWriter(ctx, this.#closeController.signal);
  }

  /** Checks a webhook with due deliveries; false if its shard does not run in this process. */
  wake(webhookId: string): boolean {
    const shard = this.#shards.get(shardOf(webhookId));
    if (!shard?.isOpen) return false;
    shard.getOrAddWebhook(webhookId).needsCheck = true;
    this.#requestCheck();
    return true;
  }

  /** Stops retrying to write results, because the process is shutting down. */
  close(): void {
    this.#closeController.abort();
  }

  /** Delivers due events of a shard until it has been idle for `lingerMs`. Call it once at a time per shard. */
  async deliver(id: Shard, signal: AbortSignal): Promise<void> {
    const shard = new ActiveShard(id, signal, this.#options.lingerMs ?? LINGER_MS);
    this.#shards.set(id, shard);
    this.#requestCheck();
    try {
      await shard.waitUntilIdle();
    } finally {
      this.#shards.delete(id);
    }
  }

  #openShards(): ActiveShard[] {
    return [...this.#shards.values()].filter(({ isOpen }) => isOpen);
  }

  /** Requests within the same iteration of the event loop share one check of all shards. */
  readonly #requestCheck = (): void => {
    this.#checkRequested = true;
    if (this.#isChecking) return;
    this.#isChecking = true;
    setImmediate(() => void this.#runChecks());
  };

  async #runChecks(): Promise<void> {
    while (this.#checkRequested) {
      this.#checkRequested = false;
      const shards = this.#openShards();
      const currentCheck = this.#check(shards);
      for (const shard of shards) shard.runningCheck = currentCheck;
      await currentCheck;
      for (const shard of shards) {
        shard.runningCheck = null;
        for (const { webhookId, isIdle } of shard.webhooks.values())
          if (isIdle) shard.webhooks.delete(webhookId);
      }
    }
    this.#isChecking = false;
  }

  /** Starts due deliveries as long as slots are free. */
  async #check(shards: readonly ActiveShard[]): Promise<void> {
    let checkedWebhooks: readonly ActiveWebhook[] = [];
    try {
      await this.#loadWebhooks(shards.filter(({ isNew }) => isNew));
      checkedWebhooks = this.#webhooksWithFreeSlots(shards);
      for (const webhook of checkedWebhooks) webhook.needsCheck = false;
      if (checkedWebhooks.length > 0) await this.#startDue(checkedWebhooks);
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'due deliveries could not be read');
      for (const webhook of checkedWebhooks) webhook.needsCheck = true;
      setTimeout(this.#requestCheck, QUERY_RETRY_DELAY_MS).unref();
      return;
    }
    for (const { shard } of checkedWebhooks) shard.restartLinger();
    // The webhooks of this check may have left slots for other webhooks.
    const checkedSet = new Set(checkedWebhooks);
    if (checkedWebhooks.length > 0 && needingCheck(shards).some((webhook) => !checkedSet.has(webhook)))
      this.#requestCheck();
  }

  /** Reads the webhooks with pending deliveries of new shards. */
  async #loadWebhooks(shards: readonly ActiveShard[]): Promise<void> {
    if (shards.length === 0) return;
    const plannedWebhooks = await planShards(
      this.#ctx,
      shards.map(({ id }) => id),
    );
    const byId = new Map(shards.map((shard) => [shard.id, shard]));
    for (const { webhookId, delayMs } of plannedWebhooks) {
      const webhook = byId.get(shardOf(webhookId))?.getOrAddWebhook(webhookId);
      if (delayMs > 0) webhook?.checkIn(delayMs, this.#requestCheck);
      else if (webhook) webhook.needsCheck = true;
    }
    for (const shard of shards) {
      shard.isNew = false;
      shard.restartLinger();
    }
  }

  #webhooksWithFreeSlots(shards: readonly ActiveShard[]): ActiveWebhook[] {
    const candidates = needingCheck(shards);
    if (candidates.length === 0) return [];
    const checkedCandidates = candidates.flatMap(({ webhookId, lastCheck }) =>
      lastCheck ? [{ webhookId, ...lastCheck, due: 1 }] : [],
    );
    const slotsByWebhook = assignSlots(this.#load(), checkedCandidates);
    return candidates.filter(({ webhookId, lastCheck }) => !lastCheck || slotsByWebhook.has(webhookId));
  }

  /** Resolves when the attempts have started, not when they have ended. */
  async #startDue(webhooks: readonly ActiveWebhook[]): Promise<void> {
    const byId = new Map(webhooks.map((webhook) => [webhook.webhookId, webhook]));
    // Requests one more than the limit, to see whether deliveries remain.
    const requests = webhooks.map(({ webhookId }) => ({ webhookId, limit: this.#limitOf(webhookId) + 1 }));
    const attempts = webhooks.flatMap(({ runningAttempts }) => [...runningAttempts]);
    const runningIds = attempts.map(({ delivery }) => delivery.id);
    const dueByWebhook = await listDue(this.#ctx, requests, runningIds);
    const counted = dueByWebhook.map(({ deliveries, ...counts }) => ({ ...counts, due: deliveries.length }));
    const slotsByWebhook = assignSlots(this.#load(), counted);
    const dueDeliveries = dueByWebhook.flatMap((entry) =>
      this.#selectDue(byId.get(entry.webhookId), entry, slotsByWebhook.get(entry.webhookId) ?? 0),
    );
    if (dueDeliveries.length === 0) return;
    const startedDeliveries = await startDeliveries(this.#ctx, dueDeliveries);
    for (const delivery of startedDeliveries) {
      const webhook = byId.get(delivery.webhookId);
      if (webhook) this.#startAttempt(webhook, delivery);
    }
    const startedIds = new Set(startedDeliveries.map(({ id }) => id));
    for (const { id, webhook } of dueDeliveries)
      if (!startedIds.has(id)) webhook.checkIn(LOCKED_RETRY_DELAY_MS, this.#requestCheck);
  }

  #selectDue(webhook: ActiveWebhook | undefined, dueEntry: DueDeliveries, slots: number) {
    if (!webhook?.shard.isOpen) return [];
    const { teamId, failing, deliveries, nextMs } = dueEntry;
    webhook.lastCheck = { teamId, failing };
    if (slots < deliveries.length) webhook.needsCheck = true;
    if (nextMs !== null) webhook.checkIn(nextMs, this.#requestCheck);
    return deliveries.slice(0, slots).map((delivery) => ({ ...delivery, webhook }));
  }

  #startAttempt(webhook: ActiveWebhook, delivery: StartedDelivery): void {
    const { webhookId, shard } = webhook;
    const slowTimer = setTimeout(() => {
      attempt.isSlow = true;
      this.#requestCheck();
    }, laneLimits.slowAfterMs);
    const { timeoutMs } = this.#options;
    const { signal } = shard;
    const options = { signal, writer: this.#writer, ...omitUndefined({ timeoutMs }) };
    const whenDone = deliver(this.#ctx, this.#egress, delivery, options).then(
      ({ result, durationMs, nextAt }) => {
        const accepted = result === 'accepted';
        webhook.runningAttempts.delete(attempt);
        if (result !== 'stopped' && result !== 'skipped') {
          const outcome = accepted ? 'accepted' : nextAt ? 'retried' : 'failed';
          metrics.deliveryDuration.observe({ outcome }, durationMs / 1_000);
        }
        clearTimeout(slowTimer);
        this.#limits.set(webhookId, nextWebhookLimit(this.#limitOf(webhookId), { accepted, ms: durationMs }));
        // Both times are from the clock of the database.
        if (nextAt)
          webhook.checkIn(nextAt.getTime() - delivery.startedAt.getTime() - durationMs, this.#requestCheck);
        shard.restartLinger();
        this.#requestCheck();
      },
    );
    const attempt: RunningAttempt = { delivery, whenDone, isSlow: false };
    webhook.runningAttempts.add(attempt);
  }

  #limitOf(webhookId: string): number {
    return this.#limits.get(webhookId) ?? laneLimits.perWebhook;
  }

  #load(): DeliveryLoad {
    const byWebhook = new Map<string, { quick: number; slow: number }>();
    const quickByTeam = new Map<string, number>();
    const ownLimits = new Map<string, number>();
    const load = { quick: 0, slow: 0, failing: 0 };
    for (const { webhooks } of this.#shards.values()) {
      for (const { webhookId, runningAttempts } of webhooks.values()) {
        const counts = { quick: 0, slow: 0 };
        for (const { delivery, isSlow: slow } of runningAttempts) {
          counts[slow ? 'slow' : 'quick'] += 1;
          if (delivery.failing) load.failing += 1;
          if (!slow) quickByTeam.set(delivery.teamId, (quickByTeam.get(delivery.teamId) ?? 0) + 1);
        }
        byWebhook.set(webhookId, counts);
        ownLimits.set(webhookId, this.#limitOf(webhookId));
        load.quick += counts.quick;
        load.slow += counts.slow;
      }
    }
    return { ...load, quickByTeam, byWebhook, ownLimits };
  }
}

const needingCheck = (shards: readonly ActiveShard[]): ActiveWebhook[] =>
  shards.flatMap(({ webhooks }) => [...webhooks.values()].filter(({ needsCheck }) => needsCheck));
