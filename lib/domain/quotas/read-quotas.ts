import type { Context } from '@/lib/domain/context';
import {
  monthStart,
  quotaNames,
  quotasOf,
  quotaStateOf,
  type OwnQuotas,
  type QuotaName,
  type Quotas,
  type QuotaState,
} from '@/lib/core/quotas/quota';
import type { TeamQuota } from '@/lib/generated/prisma/client';
import { readStoredBytes } from '@/lib/domain/metering';

type QuotaContext = Pick<Context, 'db' | 'settings'>;
type QuotaColumns = Readonly<Record<QuotaName, bigint | null>>;

/** Column value for "no limit", which overrides the default of the service. */
const unlimitedValue = -1n;

/** Column value of an operator's setting. */
const columnOf = (value: number | 'unlimited' | null): bigint | null =>
  value === 'unlimited' ? unlimitedValue : value === null ? null : BigInt(value);

function parseOwnQuotas(row: QuotaColumns | null): OwnQuotas {
  const ownQuota = (name: QuotaName) => {
    const value = row?.[name] ?? null;
    return value === unlimitedValue ? 'unlimited' : value === null ? null : Number(value);
  };
  return {
    liveStreams: ownQuota('liveStreams'),
    storageBytes: ownQuota('storageBytes'),
    uploadBytes: ownQuota('uploadBytes'),
    renditions: ownQuota('renditions'),
    viewerBytes: ownQuota('viewerBytes'),
  };
}

/** Quotas that an operator set for a team; null for the default of the service. */
export async function readOwnQuotas({ db }: Pick<Context, 'db'>, teamId: string): Promise<OwnQuotas> {
  return parseOwnQuotas(await db.teamQuota.findUnique({ where: { teamId } }));
}

/** Effective limits of a team; null for no limit. */
export async function readQuotas(ctx: QuotaContext, teamId: string): Promise<Quotas> {
  return quotasOf(await readOwnQuotas(ctx, teamId), ctx.settings.quotas);
}

/** Usage of a quota in its unit: bytes, or a number of streams. */
interface QuotaUse {
  readonly name: QuotaName;
  readonly limit: number;
  readonly used: number;
  readonly state: QuotaState;
}

/** Quotas with a usage. The others limit one file or stream. */
const measuredQuotas = ['liveStreams', 'storageBytes', 'viewerBytes'] as const;
type MeasuredQuota = (typeof measuredQuotas)[number];

/** Usage of a team's limits. Without limits the result is empty and nothing is counted. */
export async function readQuotaUse(
  ctx: Pick<Context, 'db' | 'settings' | 'clock'>,
  teamId: string,
): Promise<QuotaUse[]> {
  const quotas = await readQuotas(ctx, teamId);
  const reads: Readonly<Record<MeasuredQuota, () => Promise<number>>> = {
    liveStreams: () =>
      ctx.db.stream.count({
        where: { teamId, liveNodeId: { not: null }, previewPlaybackId: null, deletedAt: null },
      }),
    storageBytes: () => readTeamStorage(ctx, teamId),
    viewerBytes: () => readBytesDeliveredThisMonth(ctx, teamId),
  };
  const uses = measuredQuotas.map(async (name): Promise<QuotaUse[]> => {
    const limit = quotas[name];
    if (limit === null) return [];
    const usedAmount = await reads[name]();
    return [{ name, limit, used: usedAmount, state: quotaStateOf(limit, usedAmount) }];
  });
  return (await Promise.all(uses)).flat();
}

/** Bytes that a team stores, without the bytes reserved for files that are still arriving. */
export async function readTeamStorage(ctx: Pick<Context, 'db'>, teamId: string): Promise<number> {
  return (await readStoredBytes(ctx, [teamId])).get(teamId)?.bytes ?? 0;
}

/** Bytes delivered to viewers of a team in the current month (UTC). */
async function readBytesDeliveredThisMonth(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  teamId: string,
): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: bigint }[]>`
    select coalesce(sum("bytes"), 0)::bigint as "bytes" from "DeliveredDay"
    where "teamId" = ${teamId}::uuid and "day" >= ${firstDayOfMonth(clock.now())}::date`;
  return Number(row?.bytes ?? 0);
}

/** Teams that have reached their limit of delivered bytes, with the bytes of this month. */
export async function readExhaustedTeams({
  db,
  settings,
  clock,
}: Pick<Context, 'db' | 'settings' | 'clock'>): Promise<
  ReadonlyMap<string, { readonly limit: number; readonly used: number }>
> {
  const { viewerBytes } = settings.quotas;
  // Without a default limit, only the few teams with a limit of their own are summed.
  const rows = await db.$queryRaw<{ teamId: string; limit: bigint; used: bigint }[]>`
    with limited as (
      select t."id" as "teamId", coalesce(q."viewerBytes", ${viewerBytes}::bigint) as "limit"
      from "Team" t left join "TeamQuota" q on q."teamId" = t."id"
      where coalesce(q."viewerBytes", ${viewerBytes}::bigint) >= 0)
    select l."teamId", l."limit", delivered."bytes" as "used" from limited l, lateral (
      select coalesce(sum(d."bytes"), 0)::bigint as "bytes" from "DeliveredDay" d
      where d."teamId" = l."teamId" and d."day" >= ${firstDayOfMonth(clock.now())}::date) delivered
    where delivered."bytes" >= l."limit"`;
  return new Map(
    rows.map(({ teamId, limit, used }) => [teamId, { limit: Number(limit), used: Number(used) }]),
  );
}

const firstDayOfMonth = (now: Date): string => monthStart(now.toISOString().slice(0, 10));

/** Column values of an operator's settings. */
export const quotaColumns = (ownQuotas: OwnQuotas): Omit<TeamQuota, 'teamId'> => ({
  liveStreams: columnOf(ownQuotas.liveStreams),
  storageBytes: columnOf(ownQuotas.storageBytes),
  uploadBytes: columnOf(ownQuotas.uploadBytes),
  renditions: columnOf(ownQuotas.renditions),
  viewerBytes: columnOf(ownQuotas.viewerBytes),
});

/** Whether an operator set none of the quotas of a team. */
export const isAllDefault = (ownQuotas: OwnQuotas): boolean =>
  quotaNames.every((name) => ownQuotas[name] === null);
