import type { SystemContext } from '@/lib/context';

/** A year can be compared with the month before it. */
const keptDays = 400;
/** One statement stays short; the next turn goes on. */
const atOnce = 10_000;
const turns = 50;

/** Deletes what was delivered more than 400 days ago. @returns how many rows */
export async function forgetOldDelivered(ctx: SystemContext): Promise<number> {
  let total = 0;
  for (let turn = 0; turn < turns; turn++) {
    const deleted = await ctx.db.$executeRaw`
      delete from "DeliveredDay" where ctid in (
        select ctid from "DeliveredDay"
        where "day" < (now() at time zone 'utc')::date - ${keptDays}::int limit ${atOnce})`;
    total += deleted;
    if (deleted < atOnce) break;
  }
  return total;
}
