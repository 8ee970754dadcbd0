import { transact, type SystemContext } from '@/lib/context';
import { stepRecording } from '@/lib/sessions';
import { emitRecordingEvent } from '@/lib/streams';
import type { Asset, Session } from '@/lib/generated/prisma/client';

const batch = 100;

/**
 * Recordings whose asset is ready are ready themselves, with `recording.ready` in the same transaction: HLS, MP4 and
 * asset can be fetched. A recording whose asset failed fails with the same reason.
 * @returns how many changed
 */
export async function completeRecordings(ctx: SystemContext): Promise<number> {
  const sessions = await ctx.db.session.findMany({ where: { recording: 'importing' }, take: batch });
  if (sessions.length === 0) return 0;
  const assets = await ctx.db.asset.findMany({
    where: { sourceType: 'recording', sourceSessionId: { in: sessions.map(({ id }) => id) } },
  });
  let changed = 0;
  for (const session of sessions) {
    const asset = assets.find(({ sourceSessionId }) => sourceSessionId === session.id);
    if (asset && (await complete(ctx, session, asset))) changed += 1;
  }
  return changed;
}

async function complete(ctx: SystemContext, session: Session, asset: Asset): Promise<boolean> {
  if (asset.deletedAt !== null) return (await stepRecording(ctx, session, 'asset_deleted')) !== null;
  if (asset.phase === 'failed') {
    const recordingError = asset.errorMessage ?? 'The recording could not be imported.';
    return (await stepRecording(ctx, session, 'failed', { recordingError })) !== null;
  }
  if (asset.phase !== 'ready') return false;
  return transact(ctx, async (tx) => {
    const step = await stepRecording(tx, session, 'ready');
    if (!step) return false;
    const parent = await tx.db.stream.findUniqueOrThrow({ where: { id: session.parentId } });
    if (parent.deletedAt !== null) await stepRecording(tx, step.session, 'deleted');
    await emitRecordingEvent(tx, step.news, asset);
    return true;
  });
}
