import { setTimeout as wait } from 'node:timers/promises';
import type { SystemContext } from '@/lib/context';
import type { Egress } from '@/lib/infra/egress';
import type { ClaimedDelivery } from './claim-deliveries';
import { recordOutcome } from './record-outcome';
import { sendDelivery, type Outcome } from './send-delivery';

/** While the database is away the result is kept for so long; then the lease is over and it is sent again. */
const writeTries = 10;
const writePauseMs = 1_000;

export interface DeliverOptions {
  /** Aborted when the process ends: the attempt then does not count, and another process makes it. */
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * One attempt: sends, and writes down what came of it.
 * @returns when the next attempt is due; null when there is none, or when the result could not be written
 */
export async function deliver(
  ctx: SystemContext,
  egress: Egress,
  claimed: ClaimedDelivery,
  options: DeliverOptions,
): Promise<Date | null> {
  const outcome = await sendDelivery(ctx, egress, claimed, options).catch((error: unknown): Outcome => {
    // Nothing that the receiver did: without a result it would be claimed again for ever.
    ctx.log.error({ err: error, webhookId: claimed.webhookId }, 'a delivery could not be made');
    return { result: 'refused', error: 'the service could not send it', durationMs: 0 };
  });
  for (let left = writeTries; ; left--) {
    try {
      return await recordOutcome(ctx, claimed, outcome);
    } catch (error) {
      ctx.log.warn({ err: error, deliveryId: claimed.id }, 'the result of a delivery could not be written');
      if (left <= 1 || options.signal.aborted) return null;
      await wait(writePauseMs);
    }
  }
}
