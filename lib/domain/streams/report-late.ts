import { MAX_EARLY_START_MS, MAX_START_DELAY_MS, LATE_AFTER_MS } from '@/lib/core/streams/schedule';
import { transact, type SystemContext } from '@/lib/domain/context';
import { emitEvent } from '@/lib/domain/webhooks';
import { readStreamEventFields } from './stream-event-fields';

/** Streams per sweep; the next sweep continues. */
const BATCH_SIZE = 100;

/**
 * Emits `stream.late` for announced streams that are not live a minute after their start, once per start. Several nodes
 * may run this concurrently.
 */
export async function reportLateStreams(ctx: SystemContext): Promise<void> {
  // The rules of `scheduleStateOf` (lib/core/streams/schedule.ts) in SQL, with the clock of the database.
  const lateStreams = await ctx.db.$queryRaw<{ id: string; startsAt: Date }[]>`
    select "id", "startsAt" from "Stream"
    where "startsAt" between clock_timestamp() - ${MAX_START_DELAY_MS} * interval '1 millisecond'
                         and clock_timestamp() - ${LATE_AFTER_MS} * interval '1 millisecond'
      and "lateFor" is distinct from "startsAt"
      and not "isActive" and not "suspended" and "deletedAt" is null and "parentId" is null
      and ("lastSeen" is null or "lastSeen" < "startsAt" - ${MAX_EARLY_START_MS} * interval '1 millisecond')
    order by "startsAt" limit ${BATCH_SIZE}`;
  for (const { id, startsAt } of lateStreams) {
    await transact(ctx, async (tx) => {
      const [stream] = await tx.db.stream.updateManyAndReturn({
        where: {
          id,
          startsAt,
          isActive: false,
          deletedAt: null,
          OR: [{ lateFor: null }, { lateFor: { not: startsAt } }],
        },
        data: { lateFor: startsAt, eventSequence: { increment: 1 } },
      });
      if (stream) await emitEvent(tx, { name: 'stream.late', ...(await readStreamEventFields(tx, stream)) });
    });
  }
}
