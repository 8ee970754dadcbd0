import { DAY_MS } from '@/lib/core/units';
import type { TeamContext } from '@/lib/domain/context';
import type { QueryOf } from '@/lib/contract/define-endpoint';
import type { AssetUsage, getUsage as getUsageEndpoint, Usage } from '@/lib/contract/accounts/usage';
import { AppError, notFound } from '@/lib/core/errors';
import { type Span, readDayUsage, readObjectDays, readStreamUsage } from './read-usage';
import { readTeamStoredBytes } from './stored-bytes';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/**
 * Stored media of the team now, and its minutes per day. Ingested media is computed from the rows of sessions, assets and
 * tasks; delivered media was counted by the origins.
 * @throws AppError `invalid` for a range that ends before it starts, or is longer than a year
 */
export async function getUsage(ctx: TeamContext, query: QueryOf<typeof getUsageEndpoint>): Promise<Usage> {
  const span = parseSpan(query, ctx.clock.now());
  const [storage, days, streams] = await Promise.all([
    readTeamStoredBytes(ctx, ctx.actor.teamId),
    readDayUsage(ctx, span),
    readStreamUsage(ctx, span),
  ]);
  return { storage, days, streams };
}

/**
 * Usage of one asset.
 * @throws AppError `not_found`, `invalid` for a range that ends before it starts, or is longer than a year
 */
export async function getAssetUsage(
  ctx: TeamContext,
  { id, ...query }: QueryOf<typeof getUsageEndpoint> & { readonly id: string },
): Promise<AssetUsage> {
  const { db, actor, clock } = ctx;
  const span = parseSpan(query, clock.now());
  const where = { id, teamId: actor.teamId, deletedAt: null, replacesId: null };
  if ((await db.asset.count({ where })) === 0) throw notFound();
  const days = await readObjectDays(ctx, id, span);
  return { ...sumDays(days), days };
}

/** Sums the days, with minutes rounded to hundredths. */
function sumDays(days: AssetUsage['days']): Omit<AssetUsage, 'days'> {
  const sum = (selectValue: (day: AssetUsage['days'][number]) => number) =>
    days.reduce((sum, day) => sum + selectValue(day), 0);
  const deliveredMinutes = Math.round(sum((day) => day.deliveredMinutes) * 100) / 100;
  return {
    views: sum((day) => day.views),
    deliveredBytes: sum((day) => day.deliveredBytes),
    deliveredMinutes,
  };
}

/** Stored bytes of the team now, and its minutes on one day (UTC, `2026-01-31`). */
export async function getDayUsage(
  ctx: TeamContext,
  date: string,
): Promise<{ storage: Usage['storage']; day: Usage['days'][number] | undefined }> {
  const [storage, days] = await Promise.all([
    readTeamStoredBytes(ctx, ctx.actor.teamId),
    readDayUsage(ctx, { from: date, to: date }),
  ]);
  return { storage, day: days[0] };
}

function parseSpan(query: Partial<Span>, now: Date): Span {
  const to = query.to ?? formatDate(now);
  const from = query.from ?? formatDate(new Date(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS));
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw new AppError('invalid', { field: 'from', message: 'must not be after `to`' });
  if (days > MAX_DAYS)
    throw new AppError('invalid', {
      field: 'from',
      message: `at most ${MAX_DAYS} days are allowed per request`,
    });
  return { from, to };
}

const formatDate = (date: Date): string => date.toISOString().slice(0, 10);
