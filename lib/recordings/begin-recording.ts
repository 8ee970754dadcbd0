import type { SystemContext } from '@/lib/context';
import type { Session } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';

/**
 * A run that makes the files of a recording. Its writes name the token, so it writes nothing once another run started.
 */
export interface RecordingRun {
  readonly session: Session;
  readonly token: string;
}

/**
 * Starts making the files. Call it in the session's job: an earlier run has ended or lost its job.
 * @returns null if the recording is not due (anymore)
 */
export async function beginRecording(ctx: SystemContext, sessionId: string): Promise<RecordingRun | null> {
  const token = newId();
  const changed = await ctx.db.$executeRaw`
    update "Session" set
      "recordingLease" = ${token}::uuid, "recordingAttempts" = "recordingAttempts" + 1, "recordingDueAt" = null
    where "id" = ${sessionId}::uuid and "recording" = 'processing'
      and ("recordingDueAt" is null or "recordingDueAt" <= now())`;
  if (changed === 0) return null;
  const session = await ctx.db.session.findFirst({ where: { id: sessionId, recordingLease: token } });
  return session && { session, token };
}

/**
 * Segments of the session are still on their way into the storage: its recording is due in `seconds`, and no run holds
 * these segments back meanwhile. Call it in the job of the session.
 */
export async function waitForSegments(ctx: SystemContext, sessionId: string, seconds: number): Promise<void> {
  await ctx.db.$executeRaw`
    update "Session" set "recordingLease" = null,
      "recordingDueAt" = greatest("recordingDueAt", now() + ${seconds}::int * interval '1 second')
    where "id" = ${sessionId}::uuid and "recording" = 'processing'`;
}
