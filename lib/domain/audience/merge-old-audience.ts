import { type AudienceSums, countNames, mergeSums } from '@/lib/core/audience/audience-sums';
import { type SystemContext, transact } from '@/lib/domain/context';
import { deleteInBatches } from '@/lib/infra/db';
import type { AudiencePeriod } from '@/lib/generated/prisma/client';
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@/lib/core/units';

/** Node id of rows that were merged from several nodes. */
const mergedNodeId = '00000000-0000-0000-0000-000000000000';

/**
 * Steps by which rows are merged into longer periods: the length of a row before and after in seconds, and the age in hours
 * at which it is merged, by the database's clock.
 */
const steps = [
  { fromSeconds: MINUTE_SECONDS, toSeconds: HOUR_SECONDS, unit: 'hour', afterHours: 48 },
  { fromSeconds: HOUR_SECONDS, toSeconds: DAY_SECONDS, unit: 'day', afterHours: 90 * 24 },
] as const;

type Step = (typeof steps)[number];

interface DuePeriod {
  readonly objectId: string;
  readonly startsAt: Date;
}

/** Retention of audience data, long enough to compare a month with the same month of the previous year. */
const RETENTION_DAYS = 400;
/** Retention of the causes of stalls. */
const CAUSE_RETENTION_DAYS = 90;
const BATCH_SIZE = 200;
/** Maximum batches per step in one call; the next call continues. */
const MAX_BATCHES = 100;

/**
 * Merges minutes older than 48 hours into hours, and hours older than 90 days into days. Deletes audience data older than
 * 400 days and causes of stalls older than 90 days. Each hour and day is one transaction, so that an interruption loses or
 * duplicates nothing.
 */
export async function mergeOldAudience(ctx: SystemContext): Promise<void> {
  for (const step of steps) {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const duePeriods = await findDuePeriods(ctx, step);
      for (const period of duePeriods) await mergePeriod(ctx, step, period);
      if (duePeriods.length < BATCH_SIZE) break;
    }
  }
  await deleteInBatches(
    (limit) => ctx.db.$executeRaw`
      delete from "AudiencePeriod" where ctid in (
        select ctid from "AudiencePeriod"
        where "seconds" = ${DAY_SECONDS} and "startsAt" < now() - make_interval(days => ${RETENTION_DAYS}) limit ${limit})`,
  );
  await deleteInBatches(
    (limit) => ctx.db.$executeRaw`
      delete from "StallMinute" where ctid in (
        select ctid from "StallMinute"
        where "minute" < now() - make_interval(days => ${CAUSE_RETENTION_DAYS}) limit ${limit})`,
  );
}

/** Finds the periods to merge. All data of a period must be old enough, because a remainder would be merged repeatedly. */
function findDuePeriods(
  { db }: SystemContext,
  { fromSeconds, unit, afterHours }: Step,
): Promise<DuePeriod[]> {
  return db.$queryRaw<DuePeriod[]>`
    select distinct "objectId", date_trunc(${unit}, "startsAt", 'UTC') as "startsAt" from "AudiencePeriod"
    where "seconds" = ${fromSeconds}
      and "startsAt" < date_trunc(${unit}, now() - make_interval(hours => ${afterHours}), 'UTC')
    limit ${BATCH_SIZE}`;
}

/** Merges the rows of a period. Late rows join the merged row. */
async function mergePeriod(
  ctx: SystemContext,
  { fromSeconds, toSeconds }: Step,
  { objectId, startsAt }: DuePeriod,
): Promise<void> {
  const endsAt = new Date(startsAt.getTime() + toSeconds * 1_000);
  await transact(ctx, async ({ db }) => {
    const lockedRows = await db.$queryRaw<object[]>`
      select "startsAt" from "AudiencePeriod"
      where "objectId" = ${objectId}::uuid and "seconds" in (${fromSeconds}, ${toSeconds})
        and "startsAt" >= ${startsAt} and "startsAt" < ${endsAt}
      order by "seconds", "startsAt", "nodeId" for update`;
    if (lockedRows.length === 0) return;
    const where = {
      objectId,
      seconds: { in: [fromSeconds, toSeconds] },
      startsAt: { gte: startsAt, lt: endsAt },
    };
    const rows = await db.audiencePeriod.findMany({ where });
    const [firstRow] = rows;
    if (!firstRow || rows.every(({ seconds }) => seconds === toSeconds)) return;
    await db.audiencePeriod.deleteMany({ where });
    const { startupMs, stallMs, playedMs, presentMs, overloadedMs, ...sums } = mergeSums(rows.map(sumsOf));
    await db.audiencePeriod.create({
      data: {
        ...sums,
        objectId,
        teamId: firstRow.teamId,
        startsAt,
        seconds: toSeconds,
        nodeId: mergedNodeId,
        startupMs: BigInt(startupMs),
        stallMs: BigInt(stallMs),
        playedMs: BigInt(playedMs),
        presentMs: BigInt(presentMs),
        overloadedMs: BigInt(overloadedMs),
        startupTimes: [...sums.startupTimes],
        latencies: [...sums.latencies],
      },
    });
  });
}

function sumsOf(row: AudiencePeriod): AudienceSums & { readonly startsAt: number } {
  const counts = Object.fromEntries(countNames.map((name) => [name, Number(row[name])]));
  return {
    ...(counts as Record<(typeof countNames)[number], number>),
    stalledViews: row.stalledViews,
    slowStalls: row.slowStalls,
    edgeStalls: row.edgeStalls,
    // The number of viewers now, which merged rows do not have.
    viewers: 0,
    peak: row.peak,
    overloadedMs: Number(row.overloadedMs),
    startupTimes: row.startupTimes,
    latencies: row.latencies,
    heights: row.heights as AudienceSums['heights'],
    countries: row.countries as AudienceSums['countries'],
    devices: row.devices as AudienceSums['devices'],
    players: row.players as AudienceSums['players'],
    // `mergeSums` adds the peaks of rows with the same start, because they are from several nodes at the same time. A merged
    // row has the same start as its first minute, so its length is added to keep the two apart.
    startsAt: row.startsAt.getTime() + row.seconds,
  };
}
