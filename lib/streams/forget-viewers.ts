import type { SystemContext } from '@/lib/context';
import { deleteInBatches } from '@/lib/infra/delete-in-batches';

const keptDays = 30;

/** Deletes minutes of viewers that are older than 30 days; the sum of views stays. @returns how many were deleted */
export function forgetOldViewers({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "StreamViewers" where ctid in (
        select ctid from "StreamViewers"
        where "minute" < now() - make_interval(days => ${keptDays}) limit ${limit})`,
  );
}
