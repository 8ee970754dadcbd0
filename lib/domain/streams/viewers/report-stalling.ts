import { transact, type SystemContext } from '@/lib/domain/context';
import type { StallCause } from '@/lib/core/audience/explain-stall';
import { emitEvent } from '@/lib/domain/webhooks';
import { readStreamEventFields } from '@/lib/domain/streams/stream-event-fields';

interface StallingStream {
  readonly streamId: string;
  readonly cause: StallCause;
  /** Share of the viewers who stalled, 0 to 1. */
  readonly share: number;
  readonly viewers: number;
}

/** Minimum number of viewers. With fewer viewers, stalls depend more on their connections than on the stream. */
const MIN_VIEWERS = 3;
/** Minimum share of viewers who stalled in a minute. */
const MIN_SHARE = 0.1;
/** Number of recent minutes that may still change (lib/domain/audience/explain-stalls.ts). */
const RECENT_MINUTES = 5;
/** Minimum minutes between two events of one stream. */
const QUIET_MINUTES = 5;

/** Emits `stream.viewers_stalling` for live streams with many stalled viewers in the last minutes. */
export async function reportStalling(ctx: SystemContext): Promise<void> {
  const stallingStreams = await ctx.db.$queryRaw<StallingStream[]>`
    select distinct on (s."id") s."id" as "streamId", m."cause", m."viewers",
      least(1, m."stalledViews"::float8 / m."viewers") as share
    from "StallMinute" m join "Stream" s on s."id" = m."objectId" and s."isActive" and s."deletedAt" is null
    where m."minute" > now() - make_interval(mins => ${RECENT_MINUTES}) and m."viewers" >= ${MIN_VIEWERS}
      and m."stalledViews" >= m."viewers" * ${MIN_SHARE}::float8
      and not exists (
        select from "Event" e
        where e."streamId" = s."id" and e."name" = 'stream.viewers_stalling'
          and e."createdAt" > now() - make_interval(mins => ${QUIET_MINUTES}))
    order by s."id", m."minute" desc`;
  for (const { streamId, ...payload } of stallingStreams) {
    await transact(ctx, async (tx) => {
      // The update locks the row, so that of two concurrent sweeps the second sees the event of the first.
      const updatedStream = await tx.db.stream.update({
        where: { id: streamId },
        data: { eventSequence: { increment: 1 } },
      });
      const recentEvents = await tx.db.$queryRaw<object[]>`
        select 1 from "Event"
        where "streamId" = ${streamId}::uuid and "name" = 'stream.viewers_stalling'
          and "createdAt" > clock_timestamp() - make_interval(mins => ${QUIET_MINUTES}) limit 1`;
      if (recentEvents.length > 0) return;
      const eventFields = await readStreamEventFields(tx, updatedStream);
      await emitEvent(tx, { name: 'stream.viewers_stalling', ...eventFields, payload });
    });
  }
}
