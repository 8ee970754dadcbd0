import { backoffDelay } from '@/lib/core/backoff';
import { type InTransaction, type SystemContext, transact } from '@/lib/domain/context';
import type { Gap } from '@/lib/core/sessions/recording-timeline';
import type { RecordingRun } from './start-recording-run';
import { type EmitRecordingEvent, advanceRecording } from './advance-recording';

/**
 * Completes a recording after its asset was processed. With a ready asset the recording becomes ready, and
 * `recording.ready` is emitted in the same transaction: HLS, MP4 and asset can be fetched. With a failed asset the
 * recording fails with the same reason. With a deleted asset the recording is deleted.
 * @returns whether it changed
 */
export async function completeRecording(
  ctx: SystemContext,
  sessionId: string,
  emitRecordingEvent: EmitRecordingEvent,
): Promise<boolean> {
  const session = await ctx.db.session.findFirst({ where: { id: sessionId, recording: 'importing' } });
  if (!session) return false;
  const asset = await ctx.db.asset.findFirst({
    where: { sourceType: 'recording', sourceSessionId: sessionId },
  });
  if (!asset) return false;
  if (asset.deletedAt !== null) return (await advanceRecording(ctx, session, 'asset_deleted')) !== null;
  if (asset.phase === 'failed') {
    const recordingError = asset.errorMessage ?? 'The recording could not be imported.';
    return (await advanceRecording(ctx, session, 'failed', { recordingError })) !== null;
  }
  if (asset.phase !== 'ready') return false;
  return transact(ctx, async (tx) => {
    const advanced = await advanceRecording(tx, session, 'ready');
    if (!advanced) return false;
    const parent = await tx.db.stream.findUniqueOrThrow({ where: { id: session.parentId } });
    if (parent.deletedAt !== null) await advanceRecording(tx, advanced.session, 'deleted');
    await emitRecordingEvent(tx, advanced.change, asset);
    return true;
  });
}

/**
 * Ends a run whose playlist and MP4 are stored. Must be called in the transaction that creates the asset.
 * @returns false if another run has started since; then nothing changed
 */
export async function endRecordingRun(
  tx: InTransaction<SystemContext>,
  { session, token }: RecordingRun,
  { gaps }: { readonly gaps: readonly Gap[] },
): Promise<boolean> {
  const { count } = await tx.db.session.updateMany({
    where: { id: session.id, recordingLease: token },
    data: {
      recordingGaps: gaps.map(({ from, to }) => ({ from, to })),
      recordingDueAt: null,
      recordingLease: null,
    },
  });
  return count > 0 && (await advanceRecording(tx, session, 'made')) !== null;
}

/** Maximum attempts, within about ten minutes, before a recording fails. */
const MAX_ATTEMPTS = 8;
const backoffSeconds = { firstDelay: 5 };

/**
 * Schedules a retry of a recording whose files could not be made, or fails it after too many attempts.
 * @param final whether a retry cannot succeed
 * @returns whether the recording failed
 */
export async function postponeRecording(
  ctx: SystemContext,
  run: RecordingRun,
  { reason, final }: { readonly reason: string; readonly final: boolean },
): Promise<boolean> {
  const { session, token } = run;
  const leaseFilter = { id: session.id, recordingLease: token };
  if (final || session.recordingAttempts >= MAX_ATTEMPTS) {
    return transact(ctx, async (tx) => {
      const { count } = await tx.db.session.updateMany({
        where: leaseFilter,
        data: { recordingError: reason, recordingLease: null, recordingDueAt: null },
      });
      return count > 0 && (await advanceRecording(tx, session, 'failed')) !== null;
    });
  }
  const delaySeconds = backoffDelay(session.recordingAttempts, backoffSeconds);
  await ctx.db.$executeRaw`
    update "Session" set
      "recordingLease" = null, "recordingDueAt" = now() + ${delaySeconds}::int * interval '1 second'
    where "id" = ${session.id}::uuid and "recordingLease" = ${token}::uuid`;
  return false;
}
