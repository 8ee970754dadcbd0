import type { Context, SystemContext } from '@/lib/context';

export interface NodeIdentity {
  /** New for every process: a restarted role is another node, so that writes of the dead one are recognised. */
  readonly id: string;
  readonly role: 'live' | 'origin' | 'jobs';
  /** Where the other roles reach this process. */
  readonly url: string;
  readonly machineId: string | null;
}

/** "I am here": creates the row or moves `seenAt`, by the database's clock. */
export async function announceNode(ctx: SystemContext, node: NodeIdentity): Promise<void> {
  await ctx.db.$executeRaw`
    insert into "Node" ("id", "role", "url", "machineId")
    values (${node.id}::uuid, ${node.role}, ${node.url}, ${node.machineId}::uuid)
    on conflict ("id") do update set "url" = excluded."url", "seenAt" = now()`;
}

/** Nodes of the media worker that announced themselves within `seenWithinMs`, by the database's clock. */
export async function findNodes(
  ctx: Context,
  seenWithinMs: number,
): Promise<{ role: string; url: string }[]> {
  return ctx.db.$queryRaw`
    select "role", "url" from "Node"
    where "seenAt" > now() - ${seenWithinMs}::float8 * interval '1 millisecond'`;
}

/** Removes nodes that have not announced themselves for `staleMs`; returns how many. */
export async function removeStaleNodes(ctx: SystemContext, staleMs: number): Promise<number> {
  return ctx.db.$executeRaw`
    delete from "Node" where "seenAt" < now() - ${staleMs}::float8 * interval '1 millisecond'`;
}

/** "I am leaving", or "my predecessor is gone". Streams that still name the node lose their owner and are swept. */
export async function withdrawNode(ctx: SystemContext, nodeId: string): Promise<void> {
  await ctx.db.node.deleteMany({ where: { id: nodeId } });
}
