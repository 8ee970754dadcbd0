import type { SystemContext } from '@/lib/context';
import { deleteInBatches } from '@/lib/infra/delete-in-batches';

/** A year can be compared with the month before it. */
const keptDays = 400;

/** Deletes what was delivered more than 400 days ago. @returns how many rows */
export function forgetOldDelivered({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "DeliveredDay" where ctid in (
        select ctid from "DeliveredDay"
        where "day" < (now() at time zone 'utc')::date - ${keptDays}::int limit ${limit})`,
  );
}
