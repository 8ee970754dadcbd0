import { backoffDelay } from '@/lib/core/backoff';
import { createRecordingAsset } from '@/lib/domain/assets';
import { type SystemContext, transact } from '@/lib/domain/context';
import { hlsFolder, mp4File } from '@/lib/core/recordings/recorded-segment';
import type { Gap } from '@/lib/core/recordings/recording-timeline';
import { recordingKey } from '@/lib/core/storage-keys';
import type { Asset, Session } from '@/lib/generated/prisma/client';
import { emitRecordingEvent } from '@/lib/domain/streams';
import type { RecordingRun } from './start-finishing';
import { advanceRecording } from '@/lib/domain/sessions';

/**
 * Completes a recording after its asset. With a ready asset the recording becomes ready, with `recording.ready` in the
 * same transaction: HLS, MP4 and asset can be fetched. With a failed asset the recording fails with the same reason.
 * @returns whether it changed
 */
export async function completeRecording(ctx: SystemContext, sessionId: string): Promise<boolean> {
  const session = await ctx.db.session.findFirst({ where: { id: sessionId, recording: 'importing' } });
  if (!session) return false;
  const asset = await ctx.db.asset.findFirst({
    where: { sourceType: 'recording', sourceSessionId: sessionId },
  });
  return asset !== null && complete(ctx, session, asset);
}

async function complete(ctx: SystemContext, session: Session, asset: Asset): Promise<boolean> {
  if (asset.deletedAt !== null) return (await advanceRecording(ctx, session, 'asset_deleted')) !== null;
  if (asset.phase === 'failed') {
    const recordingError = asset.errorMessage ?? 'The recording could not be imported.';
    return (await advanceRecording(ctx, session, 'failed', { recordingError })) !== null;
  }
  if (asset.phase !== 'ready') return false;
  return transact(ctx, async (tx) => {
    const step = await advanceRecording(tx, session, 'ready');
    if (!step) return false;
    const parent = await tx.db.stream.findUniqueOrThrow({ where: { id: session.parentId } });
    if (parent.deletedAt !== null) await advanceRecording(tx, step.session, 'deleted');
    await emitRecordingEvent(tx, step.change, asset);
    return true;
  });
}

/**
 * Creates the asset of a recording whose playlist and MP4 are stored.
 * @returns false if another run has started since; then nothing changed
 */
export async function completeFromExisting(
  ctx: SystemContext,
  run: RecordingRun,
  { gaps }: { readonly gaps: readonly Gap[] },
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const { session, token } = run;
    const { count } = await tx.db.session.updateMany({
      where: { id: session.id, recordingLease: token },
      data: {
        recordingGaps: gaps.map(({ from, to }) => ({ from, to })),
        recordingDueAt: null,
        recordingLease: null,
      },
    });
    if (count === 0 || !(await advanceRecording(tx, session, 'made'))) return false;
    await createRecordingAsset(tx, {
      sessionId: session.id,
      teamId: session.teamId,
      name: `${session.name} · ${minuteOf(session.createdAt)}`,
      startedAt: session.createdAt,
      mp4Key: recordingKey(session.id, mp4File),
      hlsPrefix: recordingKey(session.id, hlsFolder),
    });
    return true;
  });
}

/** `2026-11-21 06:30 UTC` */
const minuteOf = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Attempts within about ten minutes, after which a recording fails. */
const maxAttempts = 8;
const backoffSeconds = { first: 5 };

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
  if (final || session.recordingAttempts >= maxAttempts) {
    return transact(ctx, async (tx) => {
      const { count } = await tx.db.session.updateMany({
        where: leaseFilter,
        data: { recordingError: reason, recordingLease: null, recordingDueAt: null },
      });
      return count > 0 && (await advanceRecording(tx, session, 'failed')) !== null;
    });
  }
  const delay = backoffDelay(session.recordingAttempts, backoffSeconds);
  await ctx.db.$executeRaw`
    update "Session" set
      "recordingLease" = null, "recordingDueAt" = now() + ${delay}::int * interval '1 second'
    where "id" = ${session.id}::uuid and "recordingLease" = ${token}::uuid`;
  return false;
}
