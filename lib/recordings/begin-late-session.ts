import { transact, type SystemContext } from '@/lib/context';
import type { RecordedSegment } from '@/lib/core/recorded-segment';
import { lateSessionState } from '@/lib/core/session-state';
import { Prisma } from '@/lib/generated/prisma/client';
import { notify } from '@/lib/infra/notifications';
import { stepRecording } from './state';
import { createChildStream } from '@/lib/sessions';
import { emitRecordingEvent } from '@/lib/streams';

/** Segments that were recorded in a session and came too late for its recording. */
export interface LateSegments {
  /** Of the session that is made for them. */
  readonly sessionId: string;
  readonly lateOf: string;
  /** Of the source, in the order of their recording. */
  readonly segments: readonly RecordedSegment[];
}

/**
 * Makes a session for segments whose own was finished without them, as if the encoder had come back after its window.
 * It is over, and its recording is due when they are stored. Calling it again changes nothing.
 * @returns false if they are not needed: nothing to play, or the stream was deleted
 */
export async function beginLateSession(
  ctx: SystemContext,
  { sessionId, lateOf, segments }: LateSegments,
): Promise<boolean> {
  if ((await ctx.db.session.count({ where: { id: sessionId } })) > 0) return true;
  const [first, last] = [segments[0], segments.at(-1)];
  const before = await ctx.db.session.findFirst({
    where: { id: lateOf, recording: { not: 'deleted' }, parent: { deletedAt: null } },
  });
  if (!first || !last || !before) return false;
  const { userId, parentId, name, playbackId, recordingSpec } = before;
  const endedAt = new Date(last.wallMs + last.durationMs);
  await transact(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "Stream" where "id" = ${parentId}::uuid for no key update`;
    const session = await tx.db.session.create({
      data: {
        ...{ id: sessionId, userId, parentId, name, playbackId, record: true },
        profiles: before.profiles ?? [],
        recordingSpec: recordingSpec ?? Prisma.DbNull,
        state: lateSessionState,
        createdAt: new Date(first.wallMs),
        lastSeen: endedAt,
        endedAt,
        sourceSegments: segments.length,
        sourceSegmentsDuration: segments.reduce((sum, { durationMs }) => sum + durationMs / 1_000, 0),
      },
    });
    await createChildStream(tx, session, false);
    const started = await stepRecording(tx, session, 'playable');
    if (!started) return;
    await emitRecordingEvent(tx, started.news);
    // Due when the spool lets go of it, or this much later.
    const recordingDueAt = new Date(tx.clock.now().getTime() + 60_000);
    await stepRecording(tx, started.session, 'ended', { recordingDueAt });
    await notify(tx.db, 'session_due', session.id);
  });
  return true;
}
