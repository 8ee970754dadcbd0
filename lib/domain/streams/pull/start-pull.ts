import { AppError } from '@/lib/core/errors';
import type { PullReport } from '@/lib/core/streams/pull/pull-state';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext } from '@/lib/domain/context';
import { requireLockedStream } from '@/lib/domain/streams/internal';
import { Prisma } from '@/lib/generated/prisma/client';
import { notify } from '@/lib/infra/notifications';
import { checkPullingEnabled } from './pull-columns';

/**
 * Starts pulling the stream from its source. Changes nothing while media arrives.
 * @throws AppError `not_found`, `bad_request` (no source, child stream), `conflict` (suspended), `invalid`
 */
export async function startPull(ctx: TeamContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const stream = await requireLockedStream(tx, id);
    if (stream.parentId !== null) throw new AppError('bad_request', "can't pull stream session");
    if (stream.pullSealed === null)
      throw new AppError('bad_request', 'stream has no pull: set pull.source first');
    if (stream.suspended) throw new AppError('conflict', 'the stream is suspended');
    checkPullingEnabled(ctx);
    const report = stream.pullReport as unknown as PullReport | null;
    if (stream.pullStartedAt !== null && report?.state === 'pulling') return;
    await tx.db.stream.updateMany({
      where: { id, teamId: ctx.actor.teamId, deletedAt: null },
      data: { pullStartedAt: ctx.clock.now(), pullReport: Prisma.DbNull },
    });
    await recordAudit(tx, { action: 'stream.pull-started', objectId: id });
    await notify(tx.db, 'stream_changed', id);
  });
}
