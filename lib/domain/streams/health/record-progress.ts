import { transact, type SystemContext } from '@/lib/domain/context';
import { Prisma } from '@/lib/generated/prisma/client';
import { lockStreams } from '@/lib/domain/streams/lock-streams';

/** Media that one publish received since the last report. */
export interface Progress {
  readonly streamId: string;
  readonly sessionId: string;
  readonly sourceSegments: number;
  /** Seconds. */
  readonly sourceSegmentsDuration: number;
  readonly sourceBytes: number;
  /** Sum over all renditions. */
  readonly transcodedSegments: number;
  readonly transcodedSegmentsDuration: number;
  readonly transcodedBytes: number;
  /** Milliseconds since the last media packet, by a monotonic clock; null if no packet arrived since the last report. */
  readonly silentMs: number | null;
}

type ProgressRows = readonly (Progress & { readonly id: string })[];

/**
 * Adds progress to streams (all-time sums), sessions and their child streams, in three statements for any number of streams.
 * `lastSeen` is computed with the clock of the database, so that the reconnect window does not depend
 * on the clock of the node.
 */
export async function recordProgress(ctx: SystemContext, progress: readonly Progress[]): Promise<void> {
  if (progress.length === 0) return;
  const parentRows = progress.map((item) => ({ ...item, id: item.streamId }));
  // The child stream of a session has the id of the session.
  const sessionRows = progress.map((item) => ({ ...item, id: item.sessionId }));
  const streamRows = [...parentRows, ...sessionRows];
  await transact(ctx, async (tx) => {
    await lockStreams(tx, Prisma.sql`"id" = any(${streamRows.map(({ id }) => id)}::uuid[])`);
    await tx.db.$executeRaw`update "Stream" as target ${addProgressSql(streamRows)}`;
    await tx.db.$executeRaw`update "Session" as target ${addProgressSql(sessionRows)}`;
  });
}

/** The `set` and `from` clauses of an update that adds progress to the rows with these ids. */
function addProgressSql(items: ProgressRows): Prisma.Sql {
  const ids = items.map(({ id }) => id);
  const segments = items.map(({ sourceSegments }) => sourceSegments);
  const seconds = items.map(({ sourceSegmentsDuration }) => sourceSegmentsDuration);
  const bytes = items.map(({ sourceBytes }) => sourceBytes);
  const transcodedSegmentCounts = items.map(({ transcodedSegments }) => transcodedSegments);
  const transcodedDurations = items.map(({ transcodedSegmentsDuration }) => transcodedSegmentsDuration);
  const transcodedByteCounts = items.map(({ transcodedBytes }) => transcodedBytes);
  const silences = items.map(({ silentMs }) => silentMs);
  return Prisma.sql`
    set
      "lastSeen" = greatest(target."lastSeen", now() - p.silent_ms * interval '1 millisecond'),
      "sourceSegments" = target."sourceSegments" + p.segments,
      "sourceSegmentsDuration" = target."sourceSegmentsDuration" + p.seconds,
      "sourceBytes" = target."sourceBytes" + p.bytes,
      "transcodedSegments" = target."transcodedSegments" + p.transcoded_segments,
      "transcodedSegmentsDuration" = target."transcodedSegmentsDuration" + p.transcoded_seconds,
      "transcodedBytes" = target."transcodedBytes" + p.transcoded_bytes
    from unnest(
      ${ids}::uuid[], ${segments}::int[], ${seconds}::float8[], ${bytes}::bigint[],
      ${transcodedSegmentCounts}::int[], ${transcodedDurations}::float8[], ${transcodedByteCounts}::bigint[], ${silences}::float8[]
    ) as p(id, segments, seconds, bytes, transcoded_segments, transcoded_seconds, transcoded_bytes, silent_ms)
    where target."id" = p.id`;
}
