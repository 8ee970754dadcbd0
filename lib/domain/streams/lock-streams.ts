import type { Prisma } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';

/**
 * Locks rows that are about to be updated together, always in the same order: parents before child objects, as a
 * publish does, each by id. Otherwise two writers could deadlock. Held until the transaction ends.
 * @param streamFilter condition on "Stream"
 */
export async function lockStreams(
  { db }: { readonly db: Transaction },
  streamFilter: Prisma.Sql,
): Promise<void> {
  await db.$executeRaw`
    select 1 from "Stream" where ${streamFilter} order by "parentId" is not null, "id" for no key update`;
}
