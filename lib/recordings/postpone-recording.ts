import { transact, type SystemContext } from '@/lib/context';
import { stepRecording } from './state';
import type { RecordingRun } from './begin-recording';

/** After this many attempts, over about ten minutes, it has failed. */
const mostAttempts = 8;
const firstDelaySeconds = 5;

/**
 * Its files could not be made. Tried again later, unless no other try would succeed, or there were enough.
 * @param final trying again is of no use
 * @returns whether it has failed for good
 */
export async function postponeRecording(
  ctx: SystemContext,
  run: RecordingRun,
  { reason, final }: { readonly reason: string; readonly final: boolean },
): Promise<boolean> {
  const { session, token } = run;
  const mine = { id: session.id, recordingLease: token };
  if (final || session.recordingAttempts >= mostAttempts) {
    return transact(ctx, async (tx) => {
      const { count } = await tx.db.session.updateMany({
        where: mine,
        data: { recordingError: reason, recordingLease: null, recordingDueAt: null },
      });
      return count > 0 && (await stepRecording(tx, session, 'failed')) !== null;
    });
  }
  const delay = firstDelaySeconds * 2 ** (session.recordingAttempts - 1);
  await ctx.db.$executeRaw`
    update "Session" set
      "recordingLease" = null, "recordingDueAt" = now() + ${delay}::int * interval '1 second'
    where "id" = ${session.id}::uuid and "recordingLease" = ${token}::uuid`;
  return false;
}
