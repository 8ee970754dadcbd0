import { type SystemContext, transact } from '@/lib/domain/context';
import type { RecordedSegment } from '@/lib/core/sessions/recorded-segment';
import {
  type SpoolDecision,
  type SpooledSession,
  decideSpooledFiles,
} from '@/lib/core/sessions/recording-spool';
import { lateSessionState } from '@/lib/core/sessions/session-state';
import { Prisma } from '@/lib/generated/prisma/client';
import { notify } from '@/lib/infra/notifications';
import { createChildStream } from './child-stream';
import { type EmitRecordingEvent, advanceRecording } from './advance-recording';

/** Time after which a recording no longer waits for its segments. */
const SPOOL_TIMEOUT_MS = 60_000;

/** Segments that arrived after the recording of their session was finished. */
interface LateSegments {
  /** Id of the new session for the segments. */
  readonly sessionId: string;
  /** Id of the session that they belonged to. */
  readonly lateOf: string;
  /** Segments of the source, in recording order. */
  readonly segments: readonly RecordedSegment[];
}

/**
 * Creates a session for segments that arrived after their session was finished, as if the encoder had reconnected after
 * the reconnect window. The session has ended, and its recording is due once the segments are stored. Idempotent.
 * @returns false if the segments are not needed, because they contain no media or the stream was deleted
 */
export async function startLateSession(
  ctx: SystemContext,
  { sessionId, lateOf, segments }: LateSegments,
  emitRecordingEvent: EmitRecordingEvent,
): Promise<boolean> {
  if ((await ctx.db.session.count({ where: { id: sessionId } })) > 0) return true;
  const [firstSegment, lastSegment] = [segments[0], segments.at(-1)];
  const originalSession = await ctx.db.session.findFirst({
    where: { id: lateOf, recording: { not: 'deleted' }, parent: { deletedAt: null } },
  });
  if (!firstSegment || !lastSegment || !originalSession) return false;
  const { teamId, parentId, name, playbackId, recordingSpec } = originalSession;
  const endedAt = new Date(lastSegment.wallClockMs + lastSegment.durationMs);
  await transact(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "Stream" where "id" = ${parentId}::uuid for no key update`;
    const session = await tx.db.session.create({
      data: {
        id: sessionId,
        teamId,
        parentId,
        name,
        playbackId,
        record: true,
        profiles: originalSession.profiles ?? [],
        recordingSpec: recordingSpec ?? Prisma.DbNull,
        state: lateSessionState,
        createdAt: new Date(firstSegment.wallClockMs),
        lastSeen: endedAt,
        endedAt,
        sourceSegments: segments.length,
        sourceSegmentsDuration: segments.reduce((sum, { durationMs }) => sum + durationMs / 1_000, 0),
      },
    });
    await createChildStream(tx, session, false);
    const startedSession = await advanceRecording(tx, session, 'playable');
    if (!startedSession) return;
    await emitRecordingEvent(tx, startedSession.change);
    // The recording is due when the spool releases it, or at this time.
    const recordingDueAt = new Date(tx.clock.now().getTime() + SPOOL_TIMEOUT_MS);
    await advanceRecording(tx, startedSession.session, 'ended', { recordingDueAt });
    await notify(tx.db, 'session_due', session.id);
  });
  return true;
}

/**
 * Delays the recording of a session for `seconds` while its files are being stored, unless a run has started. The run of a
 * dead process ends when the session's job runs again.
 * @returns how the spool must handle the files
 */
export async function holdForSpool(
  ctx: SystemContext,
  sessionId: string,
  seconds: number,
): Promise<SpoolDecision> {
  const [heldSession] = await ctx.db.$queryRaw<SpooledSession[]>`
    update "Session" set
      "recordingLease" = null, "recordingDueAt" = now() + ${seconds}::int * interval '1 second'
    where "id" = ${sessionId}::uuid
      and "recording" in ('none', 'empty', 'recording', 'waiting', 'processing', 'transient')
      and ("recordingLease" is null or "recordingDueAt" <= now())
    returning "state", "recording", "record"`;
  if (heldSession) return decideSpooledFiles(heldSession, true);
  const select = { state: true, recording: true, record: true } as const;
  return decideSpooledFiles(await ctx.db.session.findUnique({ where: { id: sessionId }, select }), false);
}

/** Allows the recording to be finished when the last file of the session is stored. */
export async function releaseFromSpool(ctx: SystemContext, sessionId: string): Promise<void> {
  const { count } = await ctx.db.session.updateMany({
    where: { id: sessionId, recordingLease: null, recordingDueAt: { not: null } },
    data: { recordingDueAt: null },
  });
  if (count > 0) await notify(ctx.db, 'session_due', sessionId);
}

/**
 * Starts the recording of a session that has media but was never reported as playable.
 * @returns false if the session is live again or another process was faster; the caller must check again
 */
export async function recoverRecording(
  ctx: SystemContext,
  sessionId: string,
  emitRecordingEvent: EmitRecordingEvent,
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const session = await tx.db.session.findUnique({ where: { id: sessionId } });
    if (!session || session.state === 'live') return false;
    // The stream is locked before the session, as in every publish, to avoid deadlocks.
    await tx.db.$queryRaw`select 1 from "Stream" where "id" = ${session.parentId}::uuid for no key update`;
    const advanced = await advanceRecording(tx, session, 'found', { recordingRemovedAt: null });
    if (advanced) await emitRecordingEvent(tx, advanced.change);
    return advanced !== null;
  });
}

/**
 * Marks a session without recording before its first segment is stored for DVR, so that its segments are deleted after the
 * session.
 * @returns false if the session has ended
 */
export async function markForDvr(ctx: SystemContext, sessionId: string): Promise<boolean> {
  const session = await ctx.db.session.findFirst({
    where: { id: sessionId, record: false, state: { not: 'ended' } },
    select: { id: true, recording: true },
  });
  if (!session) return false;
  // The update requires that the session has not ended, because the cleanup at its end only covers marked sessions.
  return (await advanceRecording(ctx, session, 'kept', {}, { state: { not: 'ended' } })) !== null;
}
