import type { SystemContext, InTransaction } from '@/lib/domain/context';
import { Prisma, type Stream } from '@/lib/generated/prisma/client';
import { deadAfterMs } from '@/lib/core/nodes/node-state';
import { databaseNow } from '@/lib/infra/db';
import { followStream, startReconnectWindow } from '@/lib/domain/sessions';
import { emitEvent } from '@/lib/domain/webhooks';
import { aboutStream } from '@/lib/domain/streams/about-stream';
import { emitRecordingEvent } from './recording-events';
import { disconnectTargets } from '@/lib/domain/streams/targets/report-target';

/** Current time of the database, and the `seenAt` before which a live node counts as dead. */
export async function nodeAliveSince(ctx: SystemContext): Promise<{ now: Date; threshold: Date }> {
  const now = await databaseNow(ctx.db);
  return { now, threshold: new Date(now.getTime() - deadAfterMs.live) };
}

/** Identifies a publish. Writes with this guard change nothing if a newer publish or another node has the stream. */
export interface PublishGuard {
  readonly streamId: string;
  readonly nodeId: string | null;
  readonly publishNumber: number;
}

const withoutHealth = { isHealthy: null, issues: [], healthChangedAt: null, warnedAt: null };

/**
 * Ends the publish of a stream: the stream becomes idle, with an event if it was active, and has no node, no connected
 * targets and no issues; its session waits. The reason of a rejected publish is kept.
 * @returns whether the stream was active
 */
export async function endPublish(
  tx: InTransaction<SystemContext>,
  { streamId, nodeId, publishNumber }: PublishGuard,
): Promise<boolean> {
  const ownPublish = { id: streamId, liveNodeId: nodeId, runs: publishNumber };
  const endedProgram = { liveNodeId: null, program: Prisma.DbNull };
  const [stream] = await tx.db.stream.updateManyAndReturn({
    where: { ...ownPublish, isActive: true },
    data: { ...endedProgram, ...withoutHealth, isActive: false, eventSequence: { increment: 1 } },
  });
  if (stream) {
    await emitStreamEvent(tx, 'stream.idle', stream);
    await emitRecordingEvent(tx, await followStream(tx, streamId, 'idle'));
  } else {
    const { count } = await tx.db.stream.updateMany({ where: ownPublish, data: endedProgram });
    if (count === 0) return false;
  }
  await disconnectTargets(tx, streamId);
  await startReconnectWindow(tx, streamId);
  return stream !== undefined;
}

/** Emits the event of a change of `stream`, which is the updated row. */
export async function emitStreamEvent(
  tx: InTransaction<SystemContext>,
  name: 'stream.started' | 'stream.idle',
  stream: Stream,
): Promise<void> {
  await emitEvent(tx, { name, ...(await aboutStream(tx, stream)) });
}
