import { transact, type SystemContext } from '@/lib/context';
import { stepRecording } from './state';
import { emitRecordingEvent } from '@/lib/streams';
import type { Asset, Session } from '@/lib/generated/prisma/client';

/**
 * A recording whose asset is ready is ready itself, with `recording.ready` in the same transaction: HLS, MP4 and asset can
 * be fetched. One whose asset failed has failed with its reason.
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
