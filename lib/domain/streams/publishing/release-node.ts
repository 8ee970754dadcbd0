import { type SystemContext, transact } from '@/lib/domain/context';
import { sessionMachine } from '@/lib/core/sessions/session-state';
import type { Prisma, Stream } from '@/lib/generated/prisma/client';
import { notifyOriginsOfEnd } from '@/lib/domain/nodes';
import { startOrResumeSession } from '@/lib/domain/sessions';
import { endPublish } from './end-publish';
import { type PublishGuard, readLiveness } from './internal-live';

/**
 * Reclaims a running publish after a sweep declared this node dead by mistake, for example after a database outage.
 * Requires that no other node has the stream and no other publish started.
 * @returns its session, or a new one if its session has ended; null if the stream belongs to another publish
 */
export async function reclaimPublish(
  ctx: SystemContext,
  publish: PublishGuard & { readonly sessionId: string },
): Promise<{ readonly sessionId: string } | null> {
  return transact(ctx, async (tx) => {
    const [stream] = await tx.db.stream.updateManyAndReturn({
      where: { id: publish.streamId, runs: publish.publishNumber, liveNodeId: null },
      data: { liveNodeId: publish.nodeId },
    });
    if (!stream) return null;
    const { count } = await tx.db.session.updateMany({
      where: { id: publish.sessionId, state: { in: sessionMachine.statesBefore('reclaimed') } },
      data: { state: sessionMachine.stateAfter('reclaimed') },
    });
    // The recording of an ended session is already being made, so the publish needs a new session.
    return count > 0 ? { sessionId: publish.sessionId } : startOrResumeSession(tx, stream);
  });
}

/** Streams per query and per notification of the origins. */
const BATCH_SIZE = 200;

/**
 * Marks the streams of a dead node idle, by ending their publishes.
 * @returns the number of streams that were active
 */
export async function releaseStreamsOfNode(ctx: SystemContext, nodeId: string): Promise<number> {
  return releaseStreams(ctx, { liveNodeId: nodeId });
}

/**
 * Marks the streams of nodes without a recent heartbeat idle, and active streams without a node, by ending their publishes.
 * @returns the number of streams that were active
 */
export async function releaseStreamsOfDeadNodes(ctx: SystemContext): Promise<number> {
  const { deadBefore } = await readLiveness(ctx);
  return releaseStreams(ctx, {
    OR: [{ liveNode: { seenAt: { lt: deadBefore } } }, { isActive: true, liveNodeId: null, parentId: null }],
  });
}

async function releaseStreams(ctx: SystemContext, where: Prisma.StreamWhereInput): Promise<number> {
  let releasedCount = 0;
  for (;;) {
    const streams = await ctx.db.stream.findMany({
      where,
      select: { id: true, liveNodeId: true, runs: true, playbackId: true, isActive: true },
      take: BATCH_SIZE,
    });
    releasedCount += await releaseBatch(ctx, streams);
    if (streams.length < BATCH_SIZE) return releasedCount;
  }
}

async function releaseBatch(
  ctx: SystemContext,
  streams: readonly Pick<Stream, 'id' | 'liveNodeId' | 'runs' | 'playbackId' | 'isActive'>[],
): Promise<number> {
  // Origins keep serving a stream without its node from their cached state, so they are notified.
  const playbackIds = streams.filter(({ isActive }) => isActive).map(({ playbackId }) => playbackId);
  if (playbackIds.length > 0) await notifyOriginsOfEnd(ctx, playbackIds);
  let releasedCount = 0;
  for (const { id, liveNodeId, runs } of streams) {
    const wasActive = await transact(ctx, (tx) =>
      endPublish(tx, { streamId: id, nodeId: liveNodeId, publishNumber: runs }, 'node_dead'),
    );
    if (wasActive) releasedCount += 1;
  }
  return releasedCount;
}
