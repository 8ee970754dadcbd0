import type { AccountContext } from '@/lib/context';
import type { QueryOf } from '@/lib/contract/define-endpoint';
import type { getUsage as endpoint, Usage } from '@/lib/contract/accounts/usage';
import { AppError } from '@/lib/core/errors';
import { type Span, readDayUsage, readStreamUsage } from './read-usage';

const dayMs = 24 * 3_600_000;
const defaultDays = 30;
const maxDays = 366;

/**
 * Stored media of the account now, and its minutes per day. Ingested media is computed from the rows of sessions,
 * assets and tasks; delivered media was counted by the origins.
 * @throws AppError `invalid` for a range that ends before it starts, or is longer than a year
 */
export async function getUsage(ctx: AccountContext, query: QueryOf<typeof endpoint>): Promise<Usage> {
  const span = spanOf(query, ctx.clock.now());
  const [storage, days, streams] = await Promise.all([
    readStorage(ctx),
    readDayUsage(ctx, span),
    readStreamUsage(ctx, span),
  ]);
  return { storage, days, streams };
}

/** What the account keeps here now, and its minutes on one day (UTC, `2026-01-31`). */
export async function getDayUsage(
  ctx: AccountContext,
  date: string,
): Promise<{ storage: Usage['storage']; day: Usage['days'][number] | undefined }> {
  const [storage, days] = await Promise.all([readStorage(ctx), readDayUsage(ctx, { from: date, to: date })]);
  return { storage, day: days[0] };
}

function spanOf(query: Partial<Span>, now: Date): Span {
  const to = query.to ?? dateOf(now);
  const from = query.from ?? dateOf(new Date(Date.parse(to) - (defaultDays - 1) * dayMs));
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1) throw new AppError('invalid', 'from: must not be after `to`');
  if (days > maxDays) throw new AppError('invalid', `from: at most ${maxDays} days can be asked for at once`);
  return { from, to };
}

const dateOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * Stored bytes, each counted once: the files of a finished recording belong to its asset. A source file counts once it
 * is complete, before it is processed.
 */
async function readStorage({ db, actor }: AccountContext): Promise<Usage['storage']> {
  const [row] = await db.$queryRaw<{ assets: bigint; recordings: bigint; deleted: bigint }[]>`
    with stored as (
      select "sourceType" = 'recording' as recorded, "deletedAt" is not null as deleted,
        greatest("storedBytes", coalesce("size", 0)) + "ipfsBytes" as bytes
      from "Asset" where "userId" = ${actor.userId}::uuid and "bytesRemovedAt" is null),
    unfinished as (
      select coalesce(sum("sourceBytes" + "transcodedBytes"), 0)::bigint as bytes from "Session"
      where "userId" = ${actor.userId}::uuid and "record" and "recordingRemovedAt" is null
        and "recording" in ('recording', 'waiting', 'processing', 'failed'))
    select coalesce(sum(bytes) filter (where not recorded and not deleted), 0)::bigint as assets,
      coalesce(sum(bytes) filter (where recorded and not deleted), 0)::bigint
        + (select bytes from unfinished) as recordings,
      coalesce(sum(bytes) filter (where deleted), 0)::bigint as deleted
    from stored`;
  const [assets, recordings, deleted] = [row?.assets, row?.recordings, row?.deleted].map(Number);
  if (assets === undefined || recordings === undefined || deleted === undefined) throw new Error('No sums');
  return { bytes: assets + recordings + deleted, assets, recordings, deleted };
}
