import { transact, type SystemContext } from '@/lib/context';
import type { Prisma } from '@/lib/generated/prisma/client';
import { endPublish, nodeAliveSince } from './internal-live';

const batch = 200;

/** The process behind `nodeId` is gone: everything it published is idle. @returns how many streams were active */
export async function releaseNode(ctx: SystemContext, nodeId: string): Promise<number> {
  return release(ctx, { liveNodeId: nodeId });
}

/** The same for every node without a recent heartbeat, and for active streams without a node. */
export async function releaseDeadNodes(ctx: SystemContext): Promise<number> {
  const { threshold } = await nodeAliveSince(ctx);
  return release(ctx, {
    OR: [{ liveNode: { seenAt: { lt: threshold } } }, { isActive: true, liveNodeId: null, parentId: null }],
  });
}

async function release(ctx: SystemContext, where: Prisma.StreamWhereInput): Promise<number> {
  const streams = await ctx.db.stream.findMany({
    where,
    select: { id: true, liveNodeId: true, runs: true },
    take: batch,
  });
  let released = 0;
  for (const { id, liveNodeId, runs } of streams) {
    const wasActive = await transact(ctx, (tx) =>
      endPublish(tx, { streamId: id, nodeId: liveNodeId, run: runs }),
    );
    if (wasActive) released += 1;
  }
  return released;
}
