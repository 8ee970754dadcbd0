import type { SystemContext } from '@/lib/context';
import type { PublishFacts } from '@/lib/core/streams/stream-state';

export interface TestPattern {
  readonly streamId: string;
  /** A secret: goes to the encoder and nowhere else. */
  readonly streamKey: string;
}

const maxTestPatterns = 20;

/** Streams whose owner asked for the test card, as long as it was asked for; oldest request first. */
export async function listTestPatterns(ctx: SystemContext): Promise<TestPattern[]> {
  const streams = await ctx.db.stream.findMany({
    where: {
      testPatternUntil: { gt: ctx.clock.now() },
      parentId: null,
      deletedAt: null,
      suspended: false,
      account: { suspended: false },
      streamKeySealed: { not: null },
    },
    select: { id: true, userId: true, streamKeySealed: true },
    orderBy: { testPatternUntil: 'asc' },
    take: maxTestPatterns,
  });
  return streams.flatMap(({ id, userId, streamKeySealed }) => {
    if (!streamKeySealed) return [];
    const streamKey = ctx.secrets.open({ kind: 'stream-key', id, userId }, streamKeySealed);
    return [{ streamId: id, streamKey }];
  });
}

/** The row of a stream that a live node holds, or believes to hold. */
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
