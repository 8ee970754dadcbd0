import type { SystemContext } from '@/lib/context';
import type { PublishFacts } from '@/lib/core/stream-state';

/** What the database says of a stream that a live node holds, or thinks it holds. */
export interface PublishRow extends PublishFacts {
  readonly id: string;
  readonly runs: number;
  readonly settingsVersion: number;
  readonly liveNodeId: string | null;
  readonly lastTerminatedAt: Date | null;
  readonly keyRotatedAt: Date | null;
}

/** The rows that name this node as owner, and those of `heldIds`. */
export async function readPublishes(
  ctx: SystemContext,
  { nodeId, heldIds }: { nodeId: string; heldIds: readonly string[] },
): Promise<PublishRow[]> {
  const rows = await ctx.db.stream.findMany({
    where: { OR: [{ liveNodeId: nodeId }, { id: { in: [...heldIds] } }] },
    select: {
      id: true,
      runs: true,
      settingsVersion: true,
      liveNodeId: true,
      parentId: true,
      deletedAt: true,
      suspended: true,
      lastTerminatedAt: true,
      keyRotatedAt: true,
      account: { select: { suspended: true } },
    },
  });
  return rows.map(({ account, ...row }) => ({ ...row, accountSuspended: account.suspended }));
}
