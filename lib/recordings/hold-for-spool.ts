import { transact, type SystemContext } from '@/lib/context';
import { spoolVerdict, type SpooledSession, type SpoolVerdict } from '@/lib/core/recording-spool';
import { notify } from '@/lib/infra/notifications';
import { stepRecording } from './state';
import { emitRecordingEvent } from '@/lib/streams';

/**
 * Files of this session are being stored: for `seconds` no run makes the files of its recording, unless one does so
 * already. One whose process died is over when the job of the session runs again.
 * @returns what may be done with them
 */
export async function holdForSpool(
  ctx: SystemContext,
  sessionId: string,
  seconds: number,
): Promise<SpoolVerdict> {
  const [held] = await ctx.db.$queryRaw<SpooledSession[]>`
    update "Session" set
      "recordingLease" = null, "recordingDueAt" = now() + ${seconds}::int * interval '1 second'
    where "id" = ${sessionId}::uuid
      and "recording" in ('none', 'empty', 'recording', 'waiting', 'processing')
      and ("recordingLease" is null or "recordingDueAt" <= now())
    returning "state", "recording"`;
  if (held) return spoolVerdict(held, true);
  const select = { state: true, recording: true } as const;
  return spoolVerdict(await ctx.db.session.findUnique({ where: { id: sessionId }, select }), false);
}

/** Everything of it is stored: its recording may be finished when the session is over. */
export async function releaseFromSpool(ctx: SystemContext, sessionId: string): Promise<void> {
  const { count } = await ctx.db.session.updateMany({
    where: { id: sessionId, recordingLease: null, recordingDueAt: { not: null } },
    data: { recordingDueAt: null },
  });
  if (count > 0) await notify(ctx.db, 'session_due', sessionId);
}

/**
 * Media was found of a session that was never said to be playable: it has a recording after all.
 * @returns false if it is live again, or another process was faster: then ask again
 */
export async function reviveRecording(ctx: SystemContext, sessionId: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const session = await tx.db.session.findUnique({ where: { id: sessionId } });
    if (!session || session.state === 'live') return false;
    // Before the session, as every publish takes them.
    await tx.db.$queryRaw`select 1 from "Stream" where "id" = ${session.parentId}::uuid for no key update`;
    const step = await stepRecording(tx, session, 'found', { recordingRemovedAt: null });
    if (step) await emitRecordingEvent(tx, step.news);
    return step !== null;
  });
}
