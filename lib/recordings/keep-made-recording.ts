import { createRecordingAsset } from '@/lib/assets';
import { transact, type SystemContext } from '@/lib/context';
import type { Gap } from '@/lib/core/recording-timeline';
import { hlsFolder, mp4File } from '@/lib/core/recorded-segment';
import { recordingKey } from '@/lib/core/storage-keys';
import { stepRecording } from './state';
import type { RecordingRun } from './begin-recording';

/**
 * The playlist and MP4 of the recording are stored: creates its asset.
 * @returns false if another run has started meanwhile; then nothing changed
 */
export async function keepMadeRecording(
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
    if (count === 0 || !(await stepRecording(tx, session, 'made'))) return false;
    await createRecordingAsset(tx, {
      sessionId: session.id,
      userId: session.userId,
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
