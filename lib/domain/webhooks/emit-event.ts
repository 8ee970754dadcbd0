import type { NewEvent } from '@/lib/contract/webhooks/event';
import { firstDeliveryState } from '@/lib/core/webhooks/delivery-state';
import type { Prisma } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import { newId } from '@/lib/infra/ids';
import { notify } from '@/lib/infra/notifications';
import { currentTraceparent } from '@/lib/infra/tracing';

/**
 * Writes an event and one delivery for each subscribed webhook to the transaction of the caller, so that the change and
 * its event are committed together (docs/adr/0003-outbox.md). A disabled webhook gets a log entry instead of an attempt.
 * @param event with a payload that shows its object after the change
 */
export async function emitEvent(ctx: { readonly db: Transaction }, event: NewEvent): Promise<void> {
  const id = newId();
  const { enabled: initialState, disabled } = firstDeliveryState;
  const { name, teamId } = event;
  const { streamId = null, sequence = null } = 'streamId' in event ? event : {};
  const storedPayload = JSON.stringify(storedPayloadOf(event));
  const resourceId = resourceIdOf(event);
  // A single statement keeps the transaction of the change short.
  await ctx.db.$executeRaw`
    with event as (
      insert into "Event" ("id", "name", "teamId", "streamId", "sequence", "payload", "traceparent", "createdAt")
      values (${id}::uuid, ${name}, ${teamId}::uuid, ${streamId}::uuid, ${sequence}::int, ${storedPayload}::jsonb,
        ${currentTraceparent()}, clock_timestamp())),
    delivery as (
      insert into "WebhookDelivery" ("id", "eventId", "webhookId", "state", "attempt", "nextAt")
      select gen_random_uuid(), ${id}::uuid, w."id",
        (case when w."disabled" then ${disabled} else ${initialState} end)::"DeliveryState",
        case when w."disabled" then 1 else 0 end,
        case when w."disabled" then null else now() end
      from "Webhook" w
      join "Team" owner on owner."id" = w."teamId" and not owner."suspended"
      where w."teamId" = ${teamId}::uuid and w."deletedAt" is null and ${name} = any(w."events")
        and (w."streamId" is null or w."streamId" = ${streamId}::uuid)
      returning "id", "webhookId", "state")
    insert into "WebhookAttempt"
      ("id", "teamId", "webhookId", "deliveryId", "event", "resourceId", "attempt", "error", "durationMs")
    select gen_random_uuid(), ${teamId}::uuid, "webhookId", "id", ${name}, ${resourceId}::uuid, 1,
      'skipped: the webhook is disabled', 0
    from delivery where "state" = ${disabled}::"DeliveryState"`;
  await notify(ctx.db, 'event_written', id);
}

/** Id of the stream, asset or task of an event. Webhook logs can be filtered by this id. */
function resourceIdOf(event: NewEvent): string {
  if ('streamId' in event) return event.streamId;
  return 'asset' in event.payload ? event.payload.asset.id : event.payload.task.id;
}

function storedPayloadOf(event: NewEvent): Prisma.InputJsonObject {
  const storedPayload = {
    ...('stream' in event ? { stream: event.stream } : {}),
    ...('payload' in event ? { payload: event.payload } : {}),
  };
  return storedPayload;
}
