import { afterAll } from 'vitest';
import type { SystemContext } from '@/lib/context';
import { openEgress } from '@/lib/infra/egress/egress';
import { listen } from '@/lib/infra/notifications';
import { openQueues } from '@/lib/infra/queue/queue';
import { startReceiver, type Answer, type Receiver } from '@/lib/infra/testing/receiver';
import { startWorkers } from '@/media-worker/process/workers';
import { deliveries, deliveryJobs } from '../deliver-webhooks';
import { Nudges, type AddJobs } from '@/media-worker/process/nudges';
import { DeliveryShards } from '../delivery-shards';

interface Delivering {
  /** Looks for everything that is due. */
  readonly nudge: () => void;
  /** Resolves when nothing is pending any more; fails after a minute. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Options {
  /** For one attempt. */
  readonly timeoutMs?: number;
  readonly lingerMs?: number;
  /** Called when a shard is let go, before its job has ended. */
  readonly ended?: (jobs: AddJobs) => Promise<void>;
}

/** The part of the jobs role that delivers, without the sweep that finds what has no job. */
export function startDelivering(ctx: SystemContext, { ended, ...options }: Options = {}): Delivering {
  const { settings, log } = ctx;
  const egress = openEgress({ allowCidrs: settings.egressAllowCidrs });
  const queues = openQueues(settings, log);
  const shards = new DeliveryShards(ctx, egress, { lingerMs: 500, ...options });
  const jobs = deliveryJobs(ctx, queues, shards);
  const handler = deliveries(ctx, queues, shards);
  const run: typeof handler.run = async (data, signal) => {
    await handler.run(data, signal);
    await ended?.(jobs);
  };
  const workers = startWorkers(settings, queues, { deliveries: { ...handler, run } }, log);
  const nudges = new Nudges(ctx, jobs);
  const listener = listen(settings.databaseUrl, 'event_written', (id) => nudges.told(id), log);
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    await listener.close();
    await nudges.close();
    shards.close();
    await workers.close();
    await queues.close();
    await egress.close();
  };
  const close = () => (stopping ??= stop());
  afterAll(close);
  return {
    nudge: () => nudges.told(null),
    stop: close,
    async settled() {
      const deadline = Date.now() + 60_000;
      while ((await ctx.db.webhookDelivery.count({ where: { state: 'pending' } })) > 0) {
        if (Date.now() > deadline) throw new Error('deliveries are still pending');
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

/** Somebody's server, closed after the last test. */
export async function receiver(answer?: Answer): Promise<Receiver> {
  const started = await startReceiver(answer);
  afterAll(() => started.close());
  return started;
}
