import { transact, type SystemContext } from '@/lib/context';

/** What one publish has received since the last report. */
export interface Progress {
  readonly streamId: string;
  readonly sessionId: string;
  readonly sourceSegments: number;
  /** Seconds. */
  readonly sourceSegmentsDuration: number;
  readonly sourceBytes: number;
  /** Milliseconds since the last media packet, by a clock that never jumps. */
  readonly silentMs: number;
}

/**
 * Adds progress to streams (all-time sums) and sessions, many at once: two statements whatever the number of streams.
 * `lastSeen` is counted back from the database's clock, so that the reconnect window does not depend on ours.
 */
export async function recordProgress(ctx: SystemContext, progress: readonly Progress[]): Promise<void> {
  if (progress.length === 0) return;
  const streamIds = progress.map((item) => item.streamId);
  const sessionIds = progress.map((item) => item.sessionId);
  const segments = progress.map((item) => item.sourceSegments);
  const seconds = progress.map((item) => item.sourceSegmentsDuration);
  const bytes = progress.map((item) => item.sourceBytes);
  const silent = progress.map((item) => item.silentMs);
  await transact(ctx, async ({ db }) => {
    await db.$executeRaw`
      update "Stream" as target set
        "lastSeen" = greatest(target."lastSeen", now() - p.silent * interval '1 millisecond'),
        "sourceSegments" = target."sourceSegments" + p.segments,
        "sourceSegmentsDuration" = target."sourceSegmentsDuration" + p.seconds,
        "sourceBytes" = target."sourceBytes" + p.bytes
      from unnest(${streamIds}::uuid[], ${segments}::int[], ${seconds}::float8[], ${bytes}::bigint[], ${silent}::float8[])
        as p(id, segments, seconds, bytes, silent)
      where target."id" = p.id`;
    await db.$executeRaw`
      update "Session" as target set
        "lastSeen" = greatest(target."lastSeen", now() - p.silent * interval '1 millisecond'),
        "sourceSegments" = target."sourceSegments" + p.segments,
        "sourceSegmentsDuration" = target."sourceSegmentsDuration" + p.seconds,
        "sourceBytes" = target."sourceBytes" + p.bytes
      from unnest(${sessionIds}::uuid[], ${segments}::int[], ${seconds}::float8[], ${bytes}::bigint[], ${silent}::float8[])
        as p(id, segments, seconds, bytes, silent)
      where target."id" = p.id`;
  });
}
