import type { SystemContext } from '@/lib/context';

/** How long every sample is kept, and how long one a minute. */
const everyHours = 12;
const oneAMinuteDays = 7;
/** One statement stays short; the next turn goes on. */
const atOnce = 10_000;
const turns = 50;

/**
 * Thins samples of streams' health out: after 12 hours one a minute stays, after seven days none.
 * @returns how many were deleted
 */
export async function forgetOldHealth(ctx: SystemContext): Promise<number> {
  let total = 0;
  for (let turn = 0; turn < turns; turn++) {
    const thinned = await ctx.db.$executeRaw`
      delete from "StreamHealth" where ctid in (
        select ctid from "StreamHealth"
        where not "minute" and "at" < now() - make_interval(hours => ${everyHours}) limit ${atOnce})`;
    const deleted = await ctx.db.$executeRaw`
      delete from "StreamHealth" where ctid in (
        select ctid from "StreamHealth"
        where "minute" and "at" < now() - make_interval(days => ${oneAMinuteDays}) limit ${atOnce})`;
    total += thinned + deleted;
    if (thinned < atOnce && deleted < atOnce) break;
  }
  return total;
}
