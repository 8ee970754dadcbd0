import { afterAll } from 'vitest';
import type { SystemContext } from '@/lib/domain/context';
import { openEgress } from '@/lib/infra/egress/egress';
import { listen } from '@/lib/infra/notifications';
import { openQueues } from '@/lib/infra/queue/queue';
import { startReceiver, type Answer, type Receiver } from '@/lib/infra/testing/receiver';
import { startWorkers } from '@/media-worker/kit/process/workers';
import { createDeliveryHandler, createDeliveryJobs } from '@/media-worker/webhooks/deliver-webhooks';
import { JobNotifications, type AddJobs } from '@/media-worker/kit/process/job-notifications';
import { DeliveryShards } from '@/media-worker/webhooks/delivery-shards';

/** A running delivery worker. */
interface DeliveryWorker {
  /** Triggers a check of all due deliveries. */
  readonly notify: () => void;
  /** Resolves when no delivery is pending; rejects after a minute. */
  readonly waitUntilDone: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface DeliveryWorkerOptions {
  /** Timeout of one attempt. */
  readonly timeoutMs?: number;
  readonly lingerMs?: number;
  /** Called when the delivery of a shard has ended, before its job ends. */
  readonly shardReleased?: (jobs: AddJobs) => Promise<void>;
}

/** Starts the part of the jobs role that delivers webhooks, without the sweep that finds due rows without a job. */
export function startDeliveryWorker(
  ctx: SystemContext,
  { shardReleased, ...options }: DeliveryWorkerOptions = {},
): DeliveryWorker {
  const { settings, log } = ctx;
  const egress = openEgress({ allowCidrs: settings.egressAllowCidrs });
  const queues = openQueues(settings, log);
  const shards = new DeliveryShards(ctx, egress, { lingerMs: 500, ...options });
  const jobs = createDeliveryJobs(ctx, queues, shards);
  const handler = createDeliveryHandler(ctx, queues, shards);
  const run: typeof handler.run = async (data, signal) => {
    await handler.run(data, signal);
    await shardReleased?.(jobs);
  };
  const workers = startWorkers(settings, queues, { deliveries: { ...handler, run } }, log);
  const notifications = new JobNotifications(ctx, jobs);
  const listener = listen(settings.databaseUrl, 'event_written', (id) => notifications.notify(id), log);
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    await listener.close();
    await notifications.close();
    shards.close();
    await workers.close();
    await queues.close();
    await egress.close();
  };
  const close = () => (stopping ??= stop());
  afterAll(close);
  return {
    notify: () => notifications.notify(null),
    stop: close,
    async waitUntilDone() {
      const deadline = Date.now() + 60_000;
      while ((await ctx.db.webhookDelivery.count({ where: { state: 'pending' } })) > 0) {
        if (Date.now() > deadline) throw new Error('deliveries are still pending');
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

/** Starts a webhook receiver, which is closed after the last test. */
export async function startWebhookReceiver(answer?: Answer): Promise<Receiver> {
  const endpoint = await startReceiver(answer);
  afterAll(() => endpoint.close());
  return endpoint;
}
