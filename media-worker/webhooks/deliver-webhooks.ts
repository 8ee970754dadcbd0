import type { SystemContext } from '@/lib/domain/context';
import { SHARD_COUNT, shardOf, type Shard } from '@/lib/contract/jobs';
import type { JobQueues } from '@/lib/infra/queue/queue';
import { planDueWebhooks, planShards, planWebhooks, type PlannedWebhook } from '@/lib/domain/webhooks';
import type { JobHandler } from '@/media-worker/kit/process/workers';
import type { DeliveryShards } from './delivery-shards';
import type { AddJobs } from '@/media-worker/kit/process/job-notifications';

/** The job that delivers a shard (a sixteenth of all webhooks). */
const jobOf = (shard: Shard) => ({ data: { shard }, jobId: `shard-${shard}` });

/**
 * Creates the handler of the queue `deliveries`. A shard has one job at a time, so only one process delivers to each
 * webhook.
 */
export function createDeliveryHandler(
  ctx: SystemContext,
  queues: JobQueues,
  shards: DeliveryShards,
): JobHandler<'deliveries'> {
  return {
    concurrency: SHARD_COUNT,
    run: ({ shard }, signal) => shards.deliver(shard, signal),
    // Plans the next job: immediately for events committed after the last check, otherwise when a retry is due.
    async afterwards({ shard }) {
      const { data, jobId } = jobOf(shard);
      const delays = (await planShards(ctx, [shard])).map(({ delayMs }) => delayMs);
      if (delays.length === 0) return;
      const delayMs = delays.reduce((a, b) => Math.min(a, b));
      await queues.enqueue('deliveries', data, { jobId, delayMs });
    },
  };
}

/** Creates the functions that add jobs for the shards of webhooks with due deliveries. */
export function createDeliveryJobs(ctx: SystemContext, queues: JobQueues, shards: DeliveryShards): AddJobs {
  const addJobs = async (webhooks: readonly PlannedWebhook[]) => {
    // Shards of this process need no job: they check immediately, or plan their next job when they end.
    const webhooksOfOthers = webhooks.filter(
      ({ webhookId, delayMs }) => delayMs <= 0 && !shards.wake(webhookId),
    );
    const dueShards = new Set(webhooksOfOthers.map(({ webhookId }) => shardOf(webhookId)));
    await queues.enqueueNow('deliveries', [...dueShards].map(jobOf));
    return dueShards.size > 0;
  };
  return {
    addFor: async (ids) => void (await addJobs(await planWebhooks(ctx, ids))),
    addAll: async () => {
      if (await addJobs(await planDueWebhooks(ctx))) await queues.wake('deliveries');
    },
  };
}
