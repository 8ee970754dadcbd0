import type { SystemContext, InTransaction } from '@/lib/domain/context';
import type { Stream } from '@/lib/generated/prisma/client';
import { deadAfterMs } from '@/lib/core/nodes/node-state';
import { readDatabaseTime } from '@/lib/infra/db';
import { emitEvent } from '@/lib/domain/webhooks';
import { readStreamEventFields } from '@/lib/domain/streams/stream-event-fields';

/** Current time of the database, and the `seenAt` before which a live node counts as dead. */
export async function readLiveness(ctx: SystemContext): Promise<{ now: Date; deadBefore: Date }> {
  const now = await readDatabaseTime(ctx.db);
  return { now, deadBefore: new Date(now.getTime() - deadAfterMs.live) };
}

/** Identifies a publish. Writes with this guard change nothing if a newer publish or another node has the stream. */
export interface PublishGuard {
  readonly streamId: string;
  readonly nodeId: string | null;
  readonly publishNumber: number;
}

/**
 * Emits an event about a stream.
 * @param stream the row after the change
 */
export async function emitStreamEvent(
  tx: InTransaction<SystemContext>,
  name: 'stream.started' | 'stream.idle',
  stream: Stream,
): Promise<void> {
  await emitEvent(tx, { name, ...(await readStreamEventFields(tx, stream)) });
}
