import type { SystemContext } from '@/lib/context';

/** Removes nodes that have not announced themselves for `staleMs`; returns how many. */
export async function removeStaleNodes(ctx: SystemContext, staleMs: number): Promise<number> {
  return ctx.db.$executeRaw`
    delete from "Node" where "seenAt" < now() - ${staleMs}::float8 * interval '1 millisecond'`;
}
