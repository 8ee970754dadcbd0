import type { SystemContext } from '@/lib/context';

export interface NodeIdentity {
  /** New for every process: a restarted role is another node, so that writes of the dead one are recognised. */
  readonly id: string;
  readonly role: 'live' | 'origin' | 'jobs';
  /** Where the other roles reach this process. */
  readonly url: string;
}

/** "I am here": creates the row or moves `seenAt`, by the database's clock. */
export async function announceNode(ctx: SystemContext, node: NodeIdentity): Promise<void> {
  await ctx.db.$executeRaw`
    insert into "Node" ("id", "role", "url") values (${node.id}::uuid, ${node.role}, ${node.url})
    on conflict ("id") do update set "url" = excluded."url", "seenAt" = now()`;
}
