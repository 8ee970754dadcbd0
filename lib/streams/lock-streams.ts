import type { Prisma } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';

/**
 * Takes rows that are about to be updated together, in the one order in which everybody takes them: parents before
 * child objects, as a publish does it, and each by id. Otherwise two writers of the same streams could wait for each
 * other until the database ends one of them. Held to the end of the transaction.
 * @param which condition on "Stream"
 */
export async function lockStreams({ db }: { readonly db: Transaction }, which: Prisma.Sql): Promise<void> {
  await db.$executeRaw`
    select 1 from "Stream" where ${which} order by "parentId" is not null, "id" for no key update`;
}
