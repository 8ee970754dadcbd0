import { transact, type SystemContext } from '@/lib/context';
import {
  deliveryStateAfter,
  deliveryStatesBefore,
  type DeliveryEvent,
} from '@/lib/core/webhooks/delivery-state';
import { nextTry } from '@/lib/core/webhooks/retry-schedule';
import type { StartedDelivery } from './start-deliveries';
import { updateWebhookHealth } from './update-webhook-health';
import type { Outcome } from './send-delivery';

/** A finished attempt. */
export interface MadeAttempt {
  readonly started: StartedDelivery;
  readonly outcome: Outcome;
}

/** What follows an attempt. */
interface Decision {
  readonly event: DeliveryEvent;
  readonly nextAt: Date | null;
}

/**
 * Stores the results of attempts and plans the next ones in one transaction, because separate ones would wait for the
 * disk and for their webhook's row. A superseded attempt only changes its own log entry, unless it was accepted. @param
 * made in the order in which they ended; each delivery once
 * @returns for each, when the next attempt is due; null when there is none
 */
export async function recordOutcomes(
  ctx: SystemContext,
  made: readonly MadeAttempt[],
): Promise<(Date | null)[]> {
  const decisions = made.map(({ started, outcome }) => decide(ctx, started, outcome));
  const decided = made.map((one, index) => ({ ...one, decision: decisions[index] ?? lost }));
  await transact(ctx, async (tx) => {
    const changed = await advance(tx, decided);
    await fillEntries(tx, decided);
    const judged = decided.filter(
      ({ outcome: { result } }) => result !== 'stopped' && result !== 'switched_off',
    );
    await updateWebhookHealth(
      tx,
      judged.map(({ started, outcome, decision }) => ({
        started,
        outcome,
        gaveUp: decision.event === 'exhausted' && changed.has(started.id),
      })),
    );
  });
  return decisions.map(({ nextAt }) => nextAt);
}

type Decided = MadeAttempt & { readonly decision: Decision };
const lost: Decision = { event: 'refused', nextAt: null };

function decide(ctx: SystemContext, started: StartedDelivery, outcome: Outcome): Decision {
  const { result, retryAfterMs, durationMs } = outcome;
  const startedAt = started.startedAt.getTime();
  const endedAt = startedAt + durationMs;
  if (result === 'stopped') return { event: 'refused', nextAt: new Date(endedAt) };
  if (result !== 'refused') return { event: result, nextAt: null };
  const at = nextTry({
    tries: started.attempt - started.triesBefore,
    firstAt: started.firstAt.getTime(),
    startedAt,
    endedAt,
    retryAfterMs,
    random: Math.random(),
    baseMs: ctx.settings.webhookRetryBaseMs,
  });
  return at === null ? { event: 'exhausted', nextAt: null } : { event: 'refused', nextAt: new Date(at) };
}

/** @returns the deliveries that changed */
async function advance(ctx: SystemContext, made: readonly Decided[]): Promise<Set<string>> {
  const rows = made.map(
    ({ started: { id, attempt, triesBefore }, outcome, decision: { event, nextAt } }) => ({
      id,
      attempt,
      triesBefore,
      state: deliveryStateAfter(event),
      before: deliveryStatesBefore(event),
      accepted: event === 'accepted',
      stopped: outcome.result === 'stopped',
      nextAt,
    }),
  );
  const ids = rows.map(({ id }) => id);
  // Always lock in the same order, to avoid deadlocks.
  await ctx.db.$queryRaw`
    select 1 from "WebhookDelivery" where "id" = any(${ids}::uuid[]) order by "id" for no key update`;
  const changed = await ctx.db.$queryRaw<{ id: string }[]>`
    with made as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(
        "id" uuid, "attempt" int, "triesBefore" int, "state" "DeliveryState", "before" "DeliveryState"[], "accepted" boolean,
        "stopped" boolean, "nextAt" timestamptz))
    -- One that was asked for again while it was under way is due already: its row has another "triesBefore".
    update "WebhookDelivery" d set "state" = m."state", "nextAt" = m."nextAt",
      "triesBefore" = d."triesBefore" + m."stopped"::int
    from made m
    where d."id" = m."id" and d."state" = any(m."before") and d."triesBefore" = m."triesBefore"
      and (m."accepted" or d."attempt" = m."attempt")
    returning d."id"`;
  return new Set(changed.map(({ id }) => id));
}

/** The log entries: request and response. */
async function fillEntries(ctx: SystemContext, made: readonly Decided[]): Promise<void> {
  const rows = made.map(({ started, outcome, decision }) => ({
    id: started.attemptId,
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
