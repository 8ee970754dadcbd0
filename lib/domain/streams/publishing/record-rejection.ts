import { transact, type SystemContext } from '@/lib/domain/context';
import type { Rejection } from '@/lib/core/streams/publish-admission';
import { emitEvent } from '@/lib/domain/webhooks';
import { aboutStream } from '@/lib/domain/streams/about-stream';

/** Number of events to search for an earlier rejection, far more than a stream has in a minute. */
const window = 500;

/**
 * Emits `stream.rejected` with the reason when an encoder with a valid key was rejected, once a minute per reason, because
 * encoders retry every few seconds.
 * @param address address of the encoder
 */
export async function recordRejection(
  ctx: SystemContext,
  { streamId, address, reason, message }: Rejection & { readonly streamId: string; readonly address: string },
): Promise<void> {
  await transact(ctx, async (tx) => {
    // The row is locked, so that of two concurrent rejections the second sees the event of the first.
    const [stream] = await tx.db.$queryRaw<{ eventSequence: number }[]>`
      select "eventSequence" from "Stream" where "id" = ${streamId}::uuid for no key update`;
    if (!stream) return;
    const [recent] = await tx.db.$queryRaw<{ id: string }[]>`
      select "id" from "Event"
      where "streamId" = ${streamId}::uuid and "sequence" > ${stream.eventSequence - window}
        and "name" = 'stream.rejected' and "createdAt" > clock_timestamp() - interval '1 minute'
        and "payload" -> 'payload' ->> 'message' = ${message}
      limit 1`;
    if (recent) return;
    const counters = await tx.db.stream.update({
      where: { id: streamId },
      data: { eventSequence: { increment: 1 } },
    });
    const about = await aboutStream(tx, counters);
    await emitEvent(tx, { name: 'stream.rejected', ...about, payload: { reason, message, address } });
  });
}
