import { transact, type SystemContext } from '@/lib/context';
import {
  deliveryStateAfter,
  deliveryStatesBefore,
  type DeliveryEvent,
} from '@/lib/core/webhooks/delivery-state';
import { nextTry } from '@/lib/core/webhooks/retry-schedule';
import type { BegunDelivery } from './begin-deliveries';
import { judgeWebhooks } from './judge-webhooks';
import type { Outcome } from './send-delivery';

/** An attempt that is over. */
export interface MadeAttempt {
  readonly begun: BegunDelivery;
  readonly outcome: Outcome;
}

/** What follows an attempt. */
interface Decision {
  readonly event: DeliveryEvent;
  readonly nextAt: Date | null;
}

/**
 * Writes down what came of attempts and plans the next ones, all in one transaction: one for each would wait for the disk,
 * and for the row of their webhook, one after the other. An attempt that another one followed changes nothing but its own entry,
 * unless it was accepted.
 * @param made in the order in which they ended; each delivery once
 * @returns for each, when the next attempt is due; null when there is none
 */
export async function recordOutcomes(
  ctx: SystemContext,
  made: readonly MadeAttempt[],
): Promise<(Date | null)[]> {
  const decisions = made.map(({ begun, outcome }) => decide(ctx, begun, outcome));
  const decided = made.map((one, index) => ({ ...one, decision: decisions[index] ?? lost }));
  await transact(ctx, async (tx) => {
    const changed = await advance(tx, decided);
    await fillEntries(tx, decided);
    const judged = decided.filter(
      ({ outcome: { result } }) => result !== 'stopped' && result !== 'switched_off',
    );
    await judgeWebhooks(
      tx,
      judged.map(({ begun, outcome, decision }) => ({
        begun,
        outcome,
        gaveUp: decision.event === 'exhausted' && changed.has(begun.id),
      })),
    );
  });
  return decisions.map(({ nextAt }) => nextAt);
}

type Decided = MadeAttempt & { readonly decision: Decision };
const lost: Decision = { event: 'refused', nextAt: null };

function decide(ctx: SystemContext, begun: BegunDelivery, outcome: Outcome): Decision {
  const { result, retryAfterMs, durationMs } = outcome;
  const startedAt = begun.startedAt.getTime();
  const endedAt = startedAt + durationMs;
  if (result === 'stopped') return { event: 'refused', nextAt: new Date(endedAt) };
  if (result !== 'refused') return { event: result, nextAt: null };
  const at = nextTry({
    tries: begun.attempt - begun.triesBefore,
    firstAt: begun.firstAt.getTime(),
    startedAt,
    endedAt,
    retryAfterMs,
    random: Math.random(),
    baseMs: ctx.settings.webhookRetryBaseMs,
  });
  return at === null ? { event: 'exhausted', nextAt: null } : { event: 'refused', nextAt: new Date(at) };
}

/** @returns the deliveries that took notice */
async function advance(ctx: SystemContext, made: readonly Decided[]): Promise<Set<string>> {
  const rows = made.map(({ begun: { id, attempt, triesBefore }, outcome, decision: { event, nextAt } }) => ({
    id,
    attempt,
    triesBefore,
    state: deliveryStateAfter(event),
    before: deliveryStatesBefore(event),
    accepted: event === 'accepted',
    stopped: outcome.result === 'stopped',
    nextAt,
  }));
  const ids = rows.map(({ id }) => id);
  // In one order, whoever writes: otherwise two processes could each wait for the other.
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

/** The log: what was sent, and what came back. */
async function fillEntries(ctx: SystemContext, made: readonly Decided[]): Promise<void> {
  const rows = made.map(({ begun, outcome, decision }) => ({
    id: begun.attemptId,
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
