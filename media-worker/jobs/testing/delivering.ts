import { afterAll } from 'vitest';
import type { SystemContext } from '@/lib/context';
import { openEgress } from '@/lib/infra/egress';
import { startReceiver, type Answer, type Receiver } from '@/lib/infra/testing/receiver';
import { every } from '../../every';
import { WebhookDeliveries } from '../deliver-webhooks';

interface Delivering {
  /** After its commit, as the notification does. */
  readonly nudge: () => void;
  /** Resolves when nothing is pending any more; fails after a minute. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Options {
  readonly timeoutMs?: number;
  readonly leaseMs?: number;
}

/** The part of the jobs role that delivers, looking every 20 ms. */
export function startDelivering(ctx: SystemContext, options: Options = {}): Delivering {
  const egress = openEgress({ allowCidrs: ctx.settings.egressAllowCidrs });
  const wake = () => looking.now();
  const deliveries = new WebhookDeliveries(ctx, egress, { wake, ...options });
  const looking = every(20, 'deliveries', ctx.log, () => deliveries.look());
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    await looking.close();
    await deliveries.close();
    await egress.close();
  };
  const close = () => (stopping ??= stop());
  afterAll(close);
  return {
    nudge: wake,
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
