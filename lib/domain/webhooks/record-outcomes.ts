import { transact, type SystemContext } from '@/lib/domain/context';
import { deliveryMachine, type DeliveryEvent } from '@/lib/core/webhooks/delivery-state';
import { nextAttemptAt } from '@/lib/core/webhooks/retry-schedule';
import type { StartedDelivery } from './start-deliveries';
import { updateWebhookHealth } from './update-webhook-health';
import type { Outcome } from './send-delivery';

/** An attempt with its result. */
export interface FinishedAttempt {
  readonly attempt: StartedDelivery;
  readonly outcome: Outcome;
}

/** State transition and next attempt of a delivery. */
interface Decision {
  readonly event: DeliveryEvent;
  readonly nextAt: Date | null;
}

/**
 * Stores the results of attempts and plans the next ones, in one transaction, because separate transactions would each
 * wait for the disk and for the row of their webhook. A superseded attempt changes its delivery only if it was accepted;
 * it always updates its own log entry and the failure state of its webhook.
 * @param attempts in the order in which they ended, at most one per delivery
 * @returns due time of the next attempt for each attempt; null if there is none
 */
export async function recordOutcomes(
  ctx: SystemContext,
  attempts: readonly FinishedAttempt[],
): Promise<(Date | null)[]> {
  const decisions = attempts.map((finishedAttempt) => ({
    ...finishedAttempt,
    decision: decide(ctx, finishedAttempt.attempt, finishedAttempt.outcome),
  }));
  await transact(ctx, async (tx) => {
    const changedDeliveryIds = await updateDeliveries(tx, decisions);
    await updateLogEntries(tx, decisions);
    // The failure of a superseded attempt says nothing about the webhook any more: a later attempt decides.
    const sentAttempts = decisions.filter(
      ({ attempt, outcome: { result } }) =>
        result === 'accepted' ||
        (result !== 'stopped' && result !== 'skipped' && changedDeliveryIds.has(attempt.id)),
    );
    await updateWebhookHealth(
      tx,
      sentAttempts.map(({ attempt, outcome, decision }) => ({
        attempt,
        outcome,
        deliveryFailed: decision.event === 'exhausted',
      })),
    );
  });
  return decisions.map(({ decision }) => decision.nextAt);
}

type DecidedAttempt = FinishedAttempt & { readonly decision: Decision };

/** What becomes of a delivery after an attempt. An attempt that was stopped at shutdown is repeated immediately. */
function decide(ctx: SystemContext, attempt: StartedDelivery, outcome: Outcome): Decision {
  const { result, retryAfterMs, durationMs } = outcome;
  const startedAt = attempt.startedAt.getTime();
  const endedAt = startedAt + durationMs;
  if (result === 'stopped') return { event: 'rejected', nextAt: new Date(endedAt) };
  if (result !== 'rejected') return { event: result, nextAt: null };
  const nextAttemptMs = nextAttemptAt({
    attempts: attempt.attempt - attempt.triesBefore,
    firstAt: attempt.firstAt.getTime(),
    startedAt,
    endedAt,
    retryAfterMs,
    random: Math.random(),
    baseMs: ctx.settings.webhookRetryBaseMs,
  });
  return nextAttemptMs === null
    ? { event: 'exhausted', nextAt: null }
    : { event: 'rejected', nextAt: new Date(nextAttemptMs) };
}

/** @returns the ids of the deliveries that changed */
async function updateDeliveries(
  ctx: SystemContext,
  attempts: readonly DecidedAttempt[],
): Promise<Set<string>> {
  const rows = attempts.map(
    ({ attempt: { id, attempt, triesBefore }, outcome, decision: { event, nextAt } }) => ({
      id,
      attempt,
      triesBefore,
      state: deliveryMachine.stateAfter(event),
      before: deliveryMachine.statesBefore(event),
      accepted: event === 'accepted',
      stopped: outcome.result === 'stopped',
      nextAt,
    }),
  );
  const ids = rows.map(({ id }) => id);
  // Rows are locked in a fixed order to avoid deadlocks.
  await ctx.db.$queryRaw`
    select 1 from "WebhookDelivery" where "id" = any(${ids}::uuid[]) order by "id" for no key update`;
  const changedRows = await ctx.db.$queryRaw<{ id: string }[]>`
    with results as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(
        "id" uuid, "attempt" int, "triesBefore" int, "state" "DeliveryState", "before" "DeliveryState"[], "accepted" boolean,
        "stopped" boolean, "nextAt" timestamptz))
    -- A delivery that was resent during the attempt has a new "triesBefore": it is due already and must not change. An
    -- attempt that was stopped at shutdown does not count in the schedule, so "triesBefore" includes it.
    update "WebhookDelivery" d set "state" = m."state", "nextAt" = m."nextAt",
      "triesBefore" = d."triesBefore" + m."stopped"::int
    from results m
    where d."id" = m."id" and d."state" = any(m."before") and d."triesBefore" = m."triesBefore"
      and (m."accepted" or d."attempt" = m."attempt")
    returning d."id"`;
  return new Set(changedRows.map(({ id }) => id));
}

/** Stores request, response and result in the log entries. */
async function updateLogEntries(ctx: SystemContext, attempts: readonly DecidedAttempt[]): Promise<void> {
  const rows = attempts.map(({ attempt, outcome, decision }) => ({
    id: attempt.attemptId,
    success: outcome.result === 'accepted',
    error: outcome.error ?? null,
    durationMs: outcome.durationMs,
    nextAt: decision.nextAt,
    request: outcome.request ?? null,
    response: outcome.response ?? null,
    statusCode: outcome.status ?? null,
    ip: outcome.ip ?? null,
  }));
  await ctx.db.$executeRaw`
    update "WebhookAttempt" a set "success" = m."success", "error" = m."error", "durationMs" = m."durationMs",
      "nextAt" = m."nextAt", "request" = m."request", "response" = m."response", "statusCode" = m."statusCode",
      "ip" = m."ip"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(
      "id" uuid, "success" boolean, "error" text, "durationMs" int, "nextAt" timestamptz, "request" jsonb,
      "response" jsonb, "statusCode" int, "ip" text)
    where a."id" = m."id"`;
}
