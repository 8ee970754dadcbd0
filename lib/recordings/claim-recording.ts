import type { SystemContext } from '@/lib/context';
import type { Session } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';

/** Whoever makes the files says so anew within this time; after it another process may begin. */
const leaseSeconds = 10;

/** One process's right to make the files of one recording. */
export interface RecordingClaim {
  readonly session: Session;
  readonly lease: string;
}

/**
 * Recordings whose files nobody makes, the one that waits longest first; ids.
 * @param except sessions of which segments are still on their way
 */
export async function listDueRecordings(
  ctx: SystemContext,
  limit: number,
  except: readonly string[] = [],
): Promise<string[]> {
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    select "id" from "Session"
    where "recording" = 'processing' and ("recordingDueAt" is null or "recordingDueAt" <= now())
      and not ("id" = any(${except}::uuid[]))
    order by "endedAt" nulls first limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Takes one of them; null when another process was faster, or it is not due any more. */
export async function claimRecording(ctx: SystemContext, sessionId: string): Promise<RecordingClaim | null> {
  const lease = newId();
  const changed = await ctx.db.$executeRaw`
    update "Session" set
      "recordingLease" = ${lease}::uuid,
      "recordingAttempts" = "recordingAttempts" + 1,
      "recordingDueAt" = now() + ${leaseSeconds}::int * interval '1 second'
    where "id" = ${sessionId}::uuid and "recording" = 'processing'
      and ("recordingDueAt" is null or "recordingDueAt" <= now())`;
  if (changed === 0) return null;
  const session = await ctx.db.session.findFirst({ where: { id: sessionId, recordingLease: lease } });
  return session && { session, lease };
}

/** @returns whether the claim still holds: otherwise somebody else is at it, and this work should end */
export async function renewRecording(
  ctx: SystemContext,
  { session, lease }: RecordingClaim,
): Promise<boolean> {
  const changed = await ctx.db.$executeRaw`
    update "Session" set "recordingDueAt" = now() + ${leaseSeconds}::int * interval '1 second'
    where "id" = ${session.id}::uuid and "recordingLease" = ${lease}::uuid and "recording" = 'processing'`;
  return changed > 0;
}
