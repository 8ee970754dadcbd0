import { deleteFiles } from '@/lib/domain/backup';
import type { WorkerContext } from '@/lib/domain/context';
import { hlsFolder, parseSegmentName } from '@/lib/core/sessions/recorded-segment';
import { recordingPrefix } from '@/lib/core/storage-keys';
import { dvrSecondsOf } from '@/lib/core/streams/dvr';

/**
 * Extra retention, because players still load segments of a recent playlist (RFC 8216 §6.2.2) and clocks of machines
 * differ.
 */
const GRACE_MS = 60_000;
const CONCURRENCY = 16;

/**
 * Deletes the segments of unrecorded sessions that are older than the DVR window. Init segments are kept until the end of
 * the session (delete-recordings.ts).
 * @returns their number
 */
export async function expireDvrSegments(ctx: WorkerContext): Promise<number> {
  const sessions = await ctx.db.session.findMany({
    where: { recording: 'transient' },
    select: { id: true, record: true, parent: { select: { dvrSeconds: true } } },
  });
  let deletedCount = 0;
  for (const { id, record, parent } of sessions) {
    const seconds = dvrSecondsOf({ record, dvrSeconds: parent.dvrSeconds });
    const oldKeys = await findSegmentsBefore(ctx, id, ctx.clock.now().getTime() - GRACE_MS - seconds * 1_000);
    for (let offset = 0; offset < oldKeys.length; offset += CONCURRENCY) {
      const results = await Promise.all(
        oldKeys.slice(offset, offset + CONCURRENCY).map((key) => deleteFiles(ctx, key)),
      );
      deletedCount += results.filter(Boolean).length;
    }
  }
  return deletedCount;
}

/** Keys of segments that ended before `beforeMs`, of all renditions. */
async function findSegmentsBefore(
  { storage }: WorkerContext,
  id: string,
  beforeMs: number,
): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(`${recordingPrefix(id)}${hlsFolder}`)) {
    const segment = parseSegmentName(key.slice(key.lastIndexOf('/') + 1));
    if (segment && segment.wallClockMs + segment.durationMs < beforeMs) keys.push(key);
  }
  return keys;
}
