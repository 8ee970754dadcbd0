import type { SystemContext } from '@/lib/context';
import type { Egress } from '@/lib/infra/egress/egress';
import type { BegunDelivery } from './begin-deliveries';
import type { OutcomeWriter } from './outcome-writer';
import { sendDelivery, type Outcome } from './send-delivery';

export interface DeliverOptions {
  /** Aborted when the process ends: the attempt then does not count, and another process makes it. */
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly writer: Pick<OutcomeWriter, 'write'>;
}

/** One attempt that was made. */
export interface Delivered {
  readonly accepted: boolean;
  readonly durationMs: number;
  /** When the next attempt is due; null when there is none, or when the result could not be written. */
  readonly nextAt: Date | null;
}

/** One attempt: sends, and has written down what came of it. Never throws. */
export async function deliver(
  ctx: SystemContext,
  egress: Egress,
  begun: BegunDelivery,
  { writer, ...options }: DeliverOptions,
): Promise<Delivered> {
  const outcome = await sendDelivery(ctx, egress, begun, options).catch((error: unknown): Outcome => {
    // Nothing that the receiver did: without a result it would be begun again and again.
    ctx.log.error(
      { err: error, webhookId: begun.webhookId },
      'webhook delivery failed with an internal error',
    );
    return { result: 'refused', error: 'the service could not send it', durationMs: 0 };
  });
  const nextAt = await writer.write({ begun, outcome });
  return { accepted: outcome.result === 'accepted', durationMs: outcome.durationMs, nextAt };
}
