import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import { notify } from '@/lib/infra/notifications';
import { discardRecordings } from '@/lib/recordings/state';
import { notFound } from './internal';

/**
 * Deletes a stream: it is no longer found, playback stops and the live role disconnects its publisher.
 * The row stays, marked as deleted, as do its historic child-session objects. Its recordings
 * are deleted too; the assets created from them stay.
 * @throws AppError `not_found`
 */
export async function deleteStream(ctx: AccountContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { count } = await tx.db.stream.updateMany({
      where: { id, userId: ctx.actor.userId, deletedAt: null },
      data: { deletedAt: ctx.clock.now(), testPatternUntil: null },
    });
    if (count === 0) throw notFound();
    await tx.db.stream.updateMany({
      where: { parentId: id, userId: ctx.actor.userId, deletedAt: null },
      data: { deletedAt: ctx.clock.now() },
    });
    await tx.db.streamHealth.deleteMany({ where: { streamId: id } });
    await tx.db.streamViewers.deleteMany({ where: { streamId: id } });
    await discardRecordings(tx, { parentId: id });
    await recordAudit(tx, { action: 'stream.deleted', objectId: id });
    await notify(tx.db, 'stream_changed', id);
  });
}
