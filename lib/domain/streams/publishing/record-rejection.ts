import { transact, type SystemContext } from '@/lib/domain/context';
import type { PublishRejection } from '@/lib/core/streams/publish-admission';
import { emitEvent } from '@/lib/domain/webhooks';
import { readStreamEventFields } from '@/lib/domain/streams/stream-event-fields';

/** Number of events to search for an earlier rejection, far more than a stream has in a minute. */
const SEARCHED_EVENTS = 500;

/**
 * Emits `stream.rejected` with the reason why an encoder with a valid key was rejected. The event is emitted once a minute
 * per reason, because encoders retry every few seconds.
 * @param address IP address of the encoder
 */
export async function recordRejection(
  ctx: SystemContext,
  {
    streamId,
    address,
    reason,
    message,
  }: PublishRejection & { readonly streamId: string; readonly address: string },
): Promise<void> {
  await transact(ctx, async (tx) => {
    // The row is locked, so that of two concurrent rejections the second sees the event of the first.
    const [stream] = await tx.db.$queryRaw<{ eventSequence: number }[]>`
      select "eventSequence" from "Stream" where "id" = ${streamId}::uuid for no key update`;
    if (!stream) return;
    const [recentRejection] = await tx.db.$queryRaw<{ id: string }[]>`
      select "id" from "Event"
      where "streamId" = ${streamId}::uuid and "sequence" > ${stream.eventSequence - SEARCHED_EVENTS}
        and "name" = 'stream.rejected' and "createdAt" > clock_timestamp() - interval '1 minute'
        and "payload" -> 'payload' ->> 'message' = ${message}
      limit 1`;
    if (recentRejection) return;
    const updatedStream = await tx.db.stream.update({
      where: { id: streamId },
      data: { eventSequence: { increment: 1 } },
    });
    const eventFields = await readStreamEventFields(tx, updatedStream);
    await emitEvent(tx, { name: 'stream.rejected', ...eventFields, payload: { reason, message, address } });
  });
}
