import { recordAudit } from '@/lib/domain/audit';
import { deleteAudience } from '@/lib/domain/audience';
import { type TeamContext, transact } from '@/lib/domain/context';
import { AppError, notFound } from '@/lib/core/errors';
import { notify } from '@/lib/infra/notifications';
import { markRecordingsDeleted } from '@/lib/domain/sessions';
import { requireStream } from './internal';

/**
 * Deletes a stream: it is hidden, playback stops and the live role disconnects its publisher. The row is kept, marked as
 * deleted, as are its child streams. Its recordings are deleted too; the assets created from them are kept.
 * @throws AppError `not_found`
 */
export async function deleteStream(ctx: TeamContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const [deletedStream] = await tx.db.stream.updateManyAndReturn({
      where: { id, teamId: ctx.actor.teamId, deletedAt: null },
      data: { deletedAt: ctx.clock.now(), testPatternUntil: null, pullStartedAt: null },
      select: { playbackId: true },
    });
    if (!deletedStream) throw notFound();
    await tx.db.stream.updateMany({
      where: { parentId: id, teamId: ctx.actor.teamId, deletedAt: null },
      data: { deletedAt: ctx.clock.now() },
    });
    await tx.db.streamHealth.deleteMany({ where: { streamId: id } });
    await tx.db.streamViewers.deleteMany({ where: { streamId: id } });
    await deleteAudience(tx, [id]);
    await markRecordingsDeleted(tx, { parentId: id });
    await recordAudit(tx, { action: 'stream.deleted', objectId: id });
    await notify(tx.db, 'stream_changed', id);
    await notify(tx.db, 'playback_access', `playback ${deletedStream.playbackId}`);
  });
}

const MIN_TERMINATE_INTERVAL_SECONDS = 5;

/**
 * Disconnects the publisher, whose encoder may reconnect immediately. Ends a pull.
 * @throws AppError `not_found`, `bad_request` for a child stream, `rate_limited` within 5 seconds
 */
export async function terminateStream(ctx: TeamContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const stream = await requireStream(tx, id);
    if (stream.parentId !== null) throw new AppError('bad_request', "can't terminate stream session");
    // Uses the clock of the database, because the live role compares it with the start of the publish by the same clock.
    const changedCount = await tx.db.$executeRaw`
      update "Stream" set "lastTerminatedAt" = now(), "testPatternUntil" = null, "pullStartedAt" = null, "pullReport" = null
      where "id" = ${id}::uuid and "teamId" = ${ctx.actor.teamId}::uuid and "deletedAt" is null
        and ("lastTerminatedAt" is null or "lastTerminatedAt" < now() - ${MIN_TERMINATE_INTERVAL_SECONDS}::int * interval '1 second')`;
    if (changedCount === 0) {
      throw new AppError('rate_limited', 'too many terminate requests', {
        retryAfter: MIN_TERMINATE_INTERVAL_SECONDS,
      });
    }
    await recordAudit(tx, { action: 'stream.terminated', objectId: id });
    await notify(tx.db, 'stream_changed', id);
  });
}
