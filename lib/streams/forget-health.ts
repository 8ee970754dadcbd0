import type { SystemContext } from '@/lib/context';
import { deleteInBatches } from '@/lib/infra/delete-in-batches';

/** How long every sample is kept, and how long one a minute. */
const everyHours = 12;
const oneAMinuteDays = 7;

/**
 * Thins samples of streams' health out: after 12 hours one a minute stays, after seven days none.
 * @returns how many were deleted
 */
export async function forgetOldHealth({ db }: SystemContext): Promise<number> {
  const thinned = await deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "StreamHealth" where ctid in (
        select ctid from "StreamHealth"
        where not "minute" and "at" < now() - make_interval(hours => ${everyHours}) limit ${limit})`,
  );
  const deleted = await deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "StreamHealth" where ctid in (
        select ctid from "StreamHealth"
        where "minute" and "at" < now() - make_interval(days => ${oneAMinuteDays}) limit ${limit})`,
  );
  return thinned + deleted;
}
