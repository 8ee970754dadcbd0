import type { SystemContext } from '@/lib/context';
import { deleteInBatches } from '@/lib/infra/delete-in-batches';

/** Removes answers older than 24 hours. Returns how many. */
export function forgetOldRequests({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "IdempotentRequest" where ctid in (
        select ctid from "IdempotentRequest" where "createdAt" < now() - interval '24 hours' limit ${limit})`,
  );
}
