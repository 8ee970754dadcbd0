import type { Prisma } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';

/**
 * Locks rows that are about to be updated together in a fixed order, as a publish does, to avoid deadlocks: parents before
 * the child streams of their sessions, each by id. The locks last until the transaction ends.
 * @param streamFilter SQL condition on "Stream"
 */
export async function lockStreams(
  { db }: { readonly db: Transaction },
  streamFilter: Prisma.Sql,
): Promise<void> {
  await db.$executeRaw`
    select 1 from "Stream" where ${streamFilter} order by "parentId" is not null, "id" for no key update`;
}
