import type { SystemContext } from '@/lib/domain/context';
import type { Egress } from '@/lib/infra/egress/egress';
import { describeSpan, failSpan, runInSpan } from '@/lib/infra/tracing';
import type { StartedDelivery } from './start-deliveries';
import type { OutcomeWriter } from './outcome-writer';
import { sendDelivery, type Outcome } from './send-delivery';

export interface DeliverOptions {
  /** Signal that is aborted at shutdown. An aborted attempt does not count, and another process repeats it. */
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly writer: Pick<OutcomeWriter, 'write'>;
}

/** Result of an attempt, with the time of the next one. */
export interface DeliveryResult {
  readonly result: Outcome['result'];
  readonly durationMs: number;
  /** Due time of the next attempt; null if there is none, or if the result could not be written. */
  readonly nextAt: Date | null;
}

/** Makes one attempt and stores its result. Never throws. */
export async function deliver(
  ctx: SystemContext,
  egress: Egress,
  attempt: StartedDelivery,
  { writer, ...options }: DeliverOptions,
): Promise<DeliveryResult> {
  const outcome = await sendInSpan(attempt, () => sendDelivery(ctx, egress, attempt, options)).catch(
    (error: unknown): Outcome => {
      // An internal error counts as a failed attempt, so that the delivery is not repeated forever.
      ctx.log.error(
        { err: error, webhookId: attempt.webhookId, deliveryId: attempt.id },
        'webhook delivery failed with an internal error',
      );
      return { result: 'rejected', error: 'the service could not send it', durationMs: 0 };
    },
  );
  const nextAt = await writer.write({ attempt, outcome });
  return { result: outcome.result, durationMs: outcome.durationMs, nextAt };
}

function sendInSpan(startedDelivery: StartedDelivery, send: () => Promise<Outcome>): Promise<Outcome> {
  const { event, eventId, webhookId, attempt, traceparent: parent } = startedDelivery;
  const attributes = {
    'headwater.event': event,
    'headwater.event_id': eventId,
    'headwater.webhook_id': webhookId,
    'headwater.attempt': attempt,
  };
  return runInSpan(`webhook ${event}`, { kind: 'client', parent, attributes }, async () => {
    const outcome = await send();
    if (outcome.status !== undefined) describeSpan({ 'http.response.status_code': outcome.status });
    if (outcome.error !== undefined) failSpan(outcome.error);
    return outcome;
  });
}
