import type { Context } from '@/lib/context';

/** Nodes of the media worker that announced themselves within `seenWithinMs`, by the database's clock. */
export async function findNodes(
  ctx: Context,
  seenWithinMs: number,
): Promise<{ role: string; url: string }[]> {
  return ctx.db.$queryRaw`
    select "role", "url" from "Node"
    where "seenAt" > now() - ${seenWithinMs}::float8 * interval '1 millisecond'`;
}
