import type { TeamContext } from '@/lib/context';
import type { AttentionItem, Overview } from '@/lib/contract/accounts/overview';
import { sizeText } from '@/lib/core/quotas/quota';
import { readRows } from '@/lib/infra/db';
import { readQuotaUse } from '@/lib/quotas';
import { reasonField } from '@/lib/core/reasons/reason';

/** A problem that nobody acted on for this long is history: it is on the page of its object. */
const days = 3;
const mostOfKind = 5;

/** Problems of the account, those of the current video first, then the newest. */
export async function readAttention(ctx: TeamContext): Promise<Overview['attention']> {
  const reads = [quotas, streams, targets, recordings, tasks, webhooks];
  const found = await Promise.all(reads.map((read) => read(ctx)));
  return found.flat().sort((a, b) => (b.at ?? Infinity) - (a.at ?? Infinity));
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly message: string | null;
  readonly at: Date | null;
}

async function read<R extends Row>(ctx: TeamContext, text: string): Promise<R[]> {
  return readRows<R>(ctx.db, { text: `${text} limit ${mostOfKind}`, values: [ctx.actor.teamId] });
}

const itemOf =
  (kind: AttentionItem['kind'], unknown: string) =>
  ({ id, name, message, at }: Row): AttentionItem => ({
    kind,
    id,
    name,
    message: message ?? unknown,
    ...reasonField('reason', message ?? unknown),
    at: at && at.getTime(),
  });

const atLimit = {
  storageBytes: ': uploads, imports and recordings are refused',
  viewerBytes: ': playback is stopped until next month',
} as const;

/** Limits of which 80 % are used. As many live streams as allowed are no problem. */
async function quotas(ctx: TeamContext): Promise<AttentionItem[]> {
  const uses = await readQuotaUse(ctx, ctx.actor.teamId);
  return uses.flatMap(({ name, used, limit, state }) => {
    if (state === 'free' || (name !== 'storageBytes' && name !== 'viewerBytes')) return [];
    const message = `${sizeText(used)} of ${sizeText(limit)} are used${state === 'reached' ? atLimit[name] : ''}`;
    const item: AttentionItem = {
      kind: 'quota',
      id: ctx.actor.teamId,
      name,
      message,
      ...reasonField('reason', message),
      at: null,
    };
    return [item];
  });
}

/** What the stream doctor finds in a live stream; hints are no problem. */
async function streams(ctx: TeamContext): Promise<AttentionItem[]> {
  const rows = await read<Row>(
    ctx,
    `select "id", "name", null::timestamptz as "at",
      (select min(issue) from unnest("issues") issue where issue not like 'Hint: %') as "message"
    from "Stream"
    where "teamId" = $1::uuid and "isActive" and "isHealthy" = false and "deletedAt" is null and "parentId" is null
    order by "createdAt"`,
  );
  return rows.map(itemOf('stream', 'The incoming video has a problem'));
}

/** Targets that a live stream does not reach. */
async function targets(ctx: TeamContext): Promise<AttentionItem[]> {
  const rows = await read<Row>(
    ctx,
    `select s."id", t."name", u."error" as "message", u."since" as "at"
    from "TargetStatus" u
    join "Stream" s on s."id" = u."streamId"
    join "MultistreamTarget" t on t."id" = u."targetId"
    where s."teamId" = $1::uuid and s."isActive" and s."deletedAt" is null and u."state" = 'error'
    order by u."since" desc`,
  );
  return rows.map(itemOf('target', 'The target could not be reached'));
}

async function recordings(ctx: TeamContext): Promise<AttentionItem[]> {
  const rows = await read<Row>(
    ctx,
    `select "id", "name", "recordingError" as "message", coalesce("endedAt", "lastSeen", "createdAt") as "at"
    from "Session"
    where "teamId" = $1::uuid and "recording" = 'failed' and "createdAt" > now() - interval '${days} days'
    order by "createdAt" desc`,
  );
  return rows.map(itemOf('recording', 'The recording failed'));
}

/** Failed tasks of assets that still exist; those of recordings are told of as recordings. */
async function tasks(ctx: TeamContext): Promise<AttentionItem[]> {
  const rows = await read<Row & { readonly assetId: string }>(
    ctx,
    `select t."id", a."name", t."errorMessage" as "message", t."statusUpdatedAt" as "at", a."id" as "assetId"
    from "Task" t
    join "Asset" a on a."id" = coalesce(t."inputAssetId", t."replacesAssetId", t."outputAssetId")
    where t."teamId" = $1::uuid and t."phase" = 'failed' and t."deletedAt" is null and a."deletedAt" is null
      and a."sourceType" <> 'recording' and t."statusUpdatedAt" > now() - interval '${days} days'
    order by t."statusUpdatedAt" desc`,
  );
  return rows.map((row) => ({ ...itemOf('task', 'The task failed')(row), assetId: row.assetId }));
}

/** Webhooks that were disabled by the service, or whose receiver has been failing for some minutes. */
async function webhooks(ctx: TeamContext): Promise<AttentionItem[]> {
  const rows = await read<Row>(
    ctx,
    `select "id", "name", coalesce("failingSince", "lastTriggered", "createdAt") as "at",
      case
        when "disabledReason" = 'gone' then 'Disabled: the receiver responded with 410 Gone'
        when "disabledReason" is not null then 'Disabled: deliveries kept failing'
        else coalesce('Deliveries are failing: ' || ("lastFailure" ->> 'error'), 'Deliveries are failing')
      end as "message"
    from "Webhook"
    where "teamId" = $1::uuid and "deletedAt" is null
      and ("disabledReason" is not null or not "disabled" and "failingSince" < now() - interval '5 minutes')
    order by "failingSince" desc nulls last`,
  );
  return rows.map(itemOf('webhook', 'Deliveries are failing'));
}
