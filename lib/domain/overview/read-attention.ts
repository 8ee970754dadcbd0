import type { TeamContext } from '@/lib/domain/context';
import type { AttentionItem, Overview } from '@/lib/contract/accounts/overview';
import { acceptedMedia } from '@/lib/core/media/media-policy';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { isDismissed } from '@/lib/core/overview/dismissal';
import { formatSize } from '@/lib/core/quotas/quota';
import { readRows } from '@/lib/infra/db';
import { readQuotaUse } from '@/lib/domain/quotas';
import { reasonField } from '@/lib/core/reasons/reason';
import { chooseRetryOffer } from '@/lib/core/tasks/retry-offer';

/** Age in days at which a problem disappears from the overview. The page of its object still shows it. */
const MAX_AGE_DAYS = 3;
const MAX_PER_KIND = 5;

/** A problem with the start of its session, which the page does not show. */
type Problem = AttentionItem & { readonly startedAt?: number | null };

/** Open problems of the team, at most five per kind: problems without a time first, then the newest. */
export async function readAttention(ctx: TeamContext): Promise<Overview['attention']> {
  const dismissals = await readDismissals(ctx);
  const readers = [
    readQuotaProblems,
    readStreamProblems,
    readRejections,
    readTargetProblems,
    readRecordingProblems,
    readTaskProblems,
    readWebhookProblems,
  ];
  const problemLists = await Promise.all(readers.map((readProblems) => readProblems(ctx, dismissals.size)));
  const isOpen = (problem: Problem) => {
    const dismissal = dismissals.get(keyOf(problem));
    return !dismissal || !isDismissed(problem, dismissal);
  };
  return problemLists
    .flatMap((problems) => problems.filter(isOpen).slice(0, MAX_PER_KIND))
    .map(({ startedAt: _startedAt, ...item }): AttentionItem => item)
    .sort((a, b) => (b.at ?? Infinity) - (a.at ?? Infinity));
}

const keyOf = ({ kind, id, name }: Pick<AttentionItem, 'kind' | 'id' | 'name'>) => `${kind} ${id} ${name}`;

/** Dismissals by problem. A team has at most 200 (lib/domain/overview/dismiss-problem.ts). */
async function readDismissals({ db, actor }: TeamContext) {
  const rows = await db.dismissedProblem.findMany({ where: { teamId: actor.teamId } });
  return new Map(
    rows.map(({ kind, objectId, name, message, until }) => [
      `${kind} ${objectId} ${name}`,
      { message, until: until.getTime() },
    ]),
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly message: string | null;
  readonly at: Date | null;
}

/** @param dismissedCount number of dismissed problems, which are read in addition to the limit */
async function queryProblems<R extends Row>(
  ctx: TeamContext,
  dismissedCount: number,
  text: string,
): Promise<R[]> {
  const values = [ctx.actor.teamId, MAX_PER_KIND + dismissedCount];
  return readRows<R>(ctx.db, { text: `${text} limit $2::int`, values });
}

const itemOf =
  (kind: AttentionItem['kind'], fallbackMessage: string) =>
  ({ id, name, message, at }: Row): AttentionItem => ({
    kind,
    id,
    name,
    message: message ?? fallbackMessage,
    ...reasonField('reason', message ?? fallbackMessage),
    at: at && at.getTime(),
  });

const limitConsequences = {
  storageBytes: ': uploads, imports and recordings are refused',
  viewerBytes: ': playback is stopped until next month',
} as const;

/** Storage and delivery limits with a usage of 80 % or more. A reached limit of live streams is not a problem. */
async function readQuotaProblems(ctx: TeamContext): Promise<Problem[]> {
  const uses = await readQuotaUse(ctx, ctx.actor.teamId);
  return uses.flatMap(({ name, used, limit, state }) => {
    if (state === 'free' || (name !== 'storageBytes' && name !== 'viewerBytes')) return [];
    const message = `${formatSize(used)} of ${formatSize(limit)} are used${state === 'reached' ? limitConsequences[name] : ''}`;
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

/** Issues of live streams, without hints. */
async function readStreamProblems(ctx: TeamContext, dismissedCount: number): Promise<Problem[]> {
  const rows = await queryProblems<Row & { readonly startedAt: Date | null }>(
    ctx,
    dismissedCount,
    `select "id", "name", null::timestamptz as "at",
      (select min(issue) from unnest("issues") issue where issue not like 'Hint: %') as "message",
      (select max(x."createdAt") from "Session" x where x."parentId" = "Stream"."id") as "startedAt"
    from "Stream"
    where "teamId" = $1::uuid and "isActive" and "isHealthy" = false and "deletedAt" is null and "parentId" is null
    order by "createdAt"`,
  );
  return rows.map((row) => ({
    ...itemOf('stream', 'The incoming video has a problem')(row),
    startedAt: row.startedAt && row.startedAt.getTime(),
  }));
}

/**
 * Rejected encoders of streams that were not live since. Encoders retry every few seconds, so rejections without a pause of
 * ten minutes count as one problem with the time of the first rejection.
 */
async function readRejections(ctx: TeamContext, dismissedCount: number): Promise<Problem[]> {
  const rows = await queryProblems<Row>(
    ctx,
    dismissedCount,
    `select r."id", r."name", (array_agg(r."message" order by r."sequence" desc))[1] as "message",
      max(r."createdAt") filter (where r."after" is null or r."after" > interval '10 minutes') as "at"
    from (
      select s."id", s."name", e."sequence", e."createdAt", e."payload" -> 'payload' ->> 'message' as "message",
        e."createdAt" - lag(e."createdAt") over (partition by s."id" order by e."sequence") as "after"
      from "Event" e join "Stream" s on s."id" = e."streamId"
      where e."teamId" = $1::uuid and e."name" = 'stream.rejected' and not e."test"
        and e."createdAt" > now() - interval '${MAX_AGE_DAYS} days' and s."deletedAt" is null
        and not exists (select from "Event" l
          where l."streamId" = e."streamId" and l."sequence" > e."sequence" and l."name" = 'stream.started')
    ) r
    group by r."id", r."name"
    order by "at" desc`,
  );
  return rows.map(itemOf('rejection', 'An encoder was rejected'));
}

/** Targets that a live stream does not reach, including those with a retry in progress. */
async function readTargetProblems(ctx: TeamContext, dismissedCount: number): Promise<Problem[]> {
  const rows = await queryProblems<Row & { readonly targetId: string }>(
    ctx,
    dismissedCount,
    `select s."id", t."name", u."error" as "message", u."since" as "at", t."id" as "targetId"
    from "TargetStatus" u
    join "Stream" s on s."id" = u."streamId"
    join "MultistreamTarget" t on t."id" = u."targetId"
    where s."teamId" = $1::uuid and s."isActive" and s."deletedAt" is null
      and (u."state" = 'error' or u."state" = 'connecting' and u."errorAt" >= u."since")
    order by u."since" desc`,
  );
  const toItem = itemOf('target', 'The target could not be reached');
  return rows.map((row) => ({ ...toItem(row), targetId: row.targetId }));
}

async function readRecordingProblems(ctx: TeamContext, dismissedCount: number): Promise<Problem[]> {
  const rows = await queryProblems<Row>(
    ctx,
    dismissedCount,
    `select "id", "name", "recordingError" as "message", coalesce("endedAt", "lastSeen", "createdAt") as "at"
    from "Session"
    where "teamId" = $1::uuid and "recording" = 'failed' and "createdAt" > now() - interval '${MAX_AGE_DAYS} days'
    order by "createdAt" desc`,
  );
  return rows.map(itemOf('recording', 'The recording failed'));
}

interface TaskRow extends Row {
  readonly assetId: string;
  readonly type: string;
  readonly uploaded: boolean;
  readonly converts: boolean;
}

/**
 * Failed tasks of assets that still exist, without those that were started again. `readRecordingProblems` reports failed
 * recordings.
 */
async function readTaskProblems(ctx: TeamContext, dismissedCount: number): Promise<Problem[]> {
  const rows = await queryProblems<TaskRow>(
    ctx,
    dismissedCount,
    `select t."id", a."name", t."errorMessage" as "message", t."statusUpdatedAt" as "at", a."id" as "assetId", t."type",
      t."params" #> '{import,uploadedObjectKey}' is not null as "uploaded",
      coalesce(t."params" #> '{import,convert}' = 'true', false) as "converts"
    from "Task" t
    join "Asset" a on a."id" = coalesce(t."inputAssetId", t."replacesAssetId", t."outputAssetId")
    where t."teamId" = $1::uuid and t."phase" = 'failed' and t."deletedAt" is null and a."deletedAt" is null
      and a."sourceType" <> 'recording' and t."statusUpdatedAt" > now() - interval '${MAX_AGE_DAYS} days'
      and not exists (select from "Task" n
        where n."teamId" = t."teamId" and n."type" = t."type" and n."createdAt" > t."createdAt"
          and n."outputAssetId" is not distinct from t."outputAssetId"
          and n."inputAssetId" is not distinct from t."inputAssetId"
          and (n."type" = 'import' or n."params" = t."params"))
    order by t."statusUpdatedAt" desc`,
  );
  return rows.map((row) => ({
    ...itemOf('task', 'The task failed')(row),
    assetId: row.assetId,
    ...omitUndefined({ retry: retryOfferOf(ctx, row) }),
  }));
}

/** How a failed task can be retried; undefined if a retry would fail again. */
function retryOfferOf({ settings }: TeamContext, { type, message, uploaded, converts }: TaskRow) {
  const code = message === null ? undefined : reasonField('reason', message).reason?.code;
  const task = { phase: 'failed', code, uploaded, converts, isImport: type === 'import' };
  return chooseRetryOffer(task, acceptedMedia(settings.acceptMedia, true) === 'any') ?? undefined;
}

/** Webhooks that were disabled by the service, or whose receiver has failed for some minutes. */
async function readWebhookProblems(ctx: TeamContext, dismissedCount: number): Promise<Problem[]> {
  const rows = await queryProblems<Row>(
    ctx,
    dismissedCount,
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
