import type { SystemContext } from '@/lib/context';

const keptDays = 30;
/** One statement stays short; the next turn goes on. */
const atOnce = 10_000;
const turns = 50;

/** Deletes minutes of viewers that are older than 30 days; the sum of views stays. @returns how many were deleted */
export async function forgetOldViewers(ctx: SystemContext): Promise<number> {
  let total = 0;
  for (let turn = 0; turn < turns; turn++) {
    const deleted = await ctx.db.$executeRaw`
      delete from "StreamViewers" where ctid in (
        select ctid from "StreamViewers"
        where "minute" < now() - make_interval(days => ${keptDays}) limit ${atOnce})`;
    total += deleted;
    if (deleted < atOnce) break;
  }
  return total;
}
