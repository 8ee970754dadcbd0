import type { TeamContext } from '@/lib/domain/context';
import type { AttentionItem, Overview } from '@/lib/contract/accounts/overview';
import { acceptedMedia } from '@/lib/core/media/media-policy';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { isDismissed } from '@/lib/core/overview/dismissal';
import { formatSize } from '@/lib/core/quotas/quota';
import { readRows } from '@/lib/infra/db';
import { readQuotaUse } from '@/lib/domain/quotas';
import { dismissalKeyOf, readDismissals } from './read-dismissals';
import { reasonField } from '@/lib/core/reasons/reason';
import { chooseRetryOffer } from '@/lib/core/tasks/retry-offer';

/**
 * Age in days at which a rejection, a failed recording or a failed task disappears from the overview. The other problems are
 * shown until they end.
 */
const MAX_AGE_DAYS = 3;
const MAX_PER_KIND = 5;

/** A problem, with the start of its session for `isDismissed`. The response does not contain it. */
type Problem = AttentionItem & { readonly startedAt?: number | null };

/**
 * Open and dismissed problems of the team, each at most five per kind: problems without a time first, then the newest.
 */
export async function readOpenProblems(
  ctx: TeamContext,
): Promise<Required<Pick<Overview, 'attention' | 'dismissed'>>> {
  const dismissals = await readDismissals(ctx);
  const readers = [
    readQuotaProblems,
    readStreamProblems,
    readRejectionProblems,
    readTargetProblems,
    readRecordingProblems,
    readTaskProblems,
    readWebhookProblems,
  ];
  const problemLists = await Promise.all(readers.map((readProblems) => readProblems(ctx, dismissals.size)));
  const isOpen = (problem: Problem) => {
    const dismissal = dismissals.get(dismissalKeyOf(problem));
    return !dismissal || !isDismissed(problem, dismissal);
  };
  const listProblems = (isListed: (problem: Problem) => boolean) =>
    problemLists
      .flatMap((problems) => problems.filter(isListed).slice(0, MAX_PER_KIND))
      .map(({ startedAt: _startedAt, ...item }): AttentionItem => item)
      .sort((a, b) => (b.at ?? Infinity) - (a.at ?? Infinity));
  return {
    attention: listProblems(isOpen),
    dismissed: listProblems((problem) => !isOpen(problem)),
  };
}

interface ProblemRow {
  readonly id: string;
  readonly name: string;
  readonly message: string | null;
  readonly at: Date | null;
}

/**
 * Rows of a query for problems, limited to one kind's maximum.
 * @param dismissedCount number of dismissed problems, which are read in addition to the limit
 * @param sql query without `limit`; `$1` is the id of the team
 */
async function queryProblems<R extends ProblemRow>(
  ctx: TeamContext,
  dismissedCount: number,
  sql: string,
): Promise<R[]> {
  const values = [ctx.actor.teamId, MAX_PER_KIND + dismissedCount];
  return readRows<R>(ctx.db, { text: `${sql} limit $2::int`, values });
}

const toAttentionItem =
  (kind: AttentionItem['kind'], fallbackMessage: string) =>
  ({ id, name, message, at }: ProblemRow): AttentionItem => ({
    kind,
    id,
    name,
    message: message ?? fallbackMessage,
    ...reasonField('reason', message ?? fallbackMessage),
    at: at && at.getTime(),
  });

const reachedLimitSuffixes = {
  storageBytes: ': uploads, imports and recordings are refused',
  viewerBytes: ': playback is stopped until next month',
} as const;

/** Quotas of storage and delivery of which at least 80 % are used. A full quota of live streams is not a problem. */
async function readQuotaProblems(ctx: TeamContext): Promise<Problem[]> {
  const quotaUsages = await readQuotaUse(ctx, ctx.actor.teamId);
  return quotaUsages.flatMap(({ name, used, limit, state }) => {
    if (state === 'free' || (name !== 'storageBytes' && name !== 'viewerBytes')) return [];
    const message = `${formatSize(used)} of ${formatSize(limit)} are used${state === 'reached' ? reachedLimitSuffixes[name] : ''}`;
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

/** The alphabetically first issue of each live stream that has an issue; hints are not problems. */
async function readStreamProblems(ctx: TeamContext, dismissedCount: number): Promise<Problem[]> {
  const rows = await queryProblems<ProblemRow & { readonly startedAt: Date | null }>(
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
    ...toAttentionItem('stream', 'The incoming video has a problem')(row),
    startedAt: row.startedAt && row.startedAt.getTime(),
  }));
}

/**
 * Encoders that were rejected, of streams that have not been live since. Encoders retry every few seconds, so rejections without
 * a pause of ten minutes between them are one problem, with the message of the last and the time of the first rejection.
 */
async function readRejectionProblems(ctx: TeamContext, dismissedCount: number): Promise<Problem[]> {
  const rows = await queryProblems<ProblemRow>(
    ctx,
    dismissedCount,
    `select r."id", r."name", (array_agg(r."message" order by r."sequence" desc))[1] as "message",
      max(r."createdAt") filter (where r."pause" is null or r."pause" > interval '10 minutes') as "at"
    from (
      select s."id", s."name", e."sequence", e."createdAt", e."payload" -> 'payload' ->> 'message' as "message",
        e."createdAt" - lag(e."createdAt") over (partition by s."id" order by e."sequence") as "pause"
      from "Event" e join "Stream" s on s."id" = e."streamId"
      where e."teamId" = $1::uuid and e."name" = 'stream.rejected' and not e."test"
        and e."createdAt" > now() - interval '${MAX_AGE_DAYS} days' and s."deletedAt" is null
        and not exists (select from "Event" l
          where l."streamId" = e."streamId" and l."sequence" > e."sequence" and l."name" = 'stream.started')
    ) r
    group by r."id", r."name"
    order by "at" desc`,
  );
  return rows.map(toAttentionItem('rejection', 'An encoder was rejected'));
}

/** Multistream targets that a live stream cannot reach, including those whose connection is being retried. */
async function readTargetProblems(ctx: TeamContext, dismissedCount: number): Promise<Problem[]> {
  const rows = await queryProblems<ProblemRow & { readonly targetId: string }>(
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
  const toItem = toAttentionItem('target', 'The target could not be reached');
  return rows.map((row) => ({ ...toItem(row), targetId: row.targetId }));
}

/** Failed recordings of recent sessions. */
async function readRecordingProblems(ctx: TeamContext, dismissedCount: number): Promise<Problem[]> {
  const rows = await queryProblems<ProblemRow>(
    ctx,
    dismissedCount,
    `select "id", "name", "recordingError" as "message", coalesce("endedAt", "lastSeen", "createdAt") as "at"
    from "Session"
    where "teamId" = $1::uuid and "recording" = 'failed' and "createdAt" > now() - interval '${MAX_AGE_DAYS} days'
    order by "createdAt" desc`,
  );
  return rows.map(toAttentionItem('recording', 'The recording failed'));
}

interface TaskRow extends ProblemRow {
  readonly assetId: string;
  readonly type: string;
  readonly isUpload: boolean;
  readonly isConversion: boolean;
}

/**
 * Failed tasks of assets that are not deleted, except tasks that were started again. Tasks of recordings are excluded, because
 * `readRecordingProblems` reports them.
 */
async function readTaskProblems(ctx: TeamContext, dismissedCount: number): Promise<Problem[]> {
  const rows = await queryProblems<TaskRow>(
    ctx,
    dismissedCount,
    `select t."id", a."name", t."errorMessage" as "message", t."statusUpdatedAt" as "at", a."id" as "assetId", t."type",
      t."params" #> '{import,uploadedObjectKey}' is not null as "isUpload",
      coalesce(t."params" #> '{import,convert}' = 'true', false) as "isConversion"
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
    ...toAttentionItem('task', 'The task failed')(row),
    assetId: row.assetId,
    ...omitUndefined({ retry: retryOfferOf(ctx, row) }),
  }));
}

/** How a failed task can be retried; undefined if a retry would fail again. */
function retryOfferOf({ settings }: TeamContext, { type, message, isUpload, isConversion }: TaskRow) {
  const code = message === null ? undefined : reasonField('reason', message).reason?.code;
  const task = { phase: 'failed', code, isUpload, isConversion, isImport: type === 'import' };
  const allowsConversion = acceptedMedia(settings.acceptMedia, { convert: true }) === 'any';
  return chooseRetryOffer(task, { allowsConversion }) ?? undefined;
}

/** Webhooks that the service has disabled, or whose deliveries have failed for at least five minutes. */
async function readWebhookProblems(ctx: TeamContext, dismissedCount: number): Promise<Problem[]> {
  const rows = await queryProblems<ProblemRow>(
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
  return rows.map(toAttentionItem('webhook', 'Deliveries are failing'));
}
