import { recordAudit } from '@/lib/audit';
import { transact, type TeamContext, type SystemContext } from '@/lib/context';
import type { TestPattern } from '@/lib/contract/streams/test-pattern';
import { AppError } from '@/lib/core/errors';
import { notify } from '@/lib/infra/notifications';
import { notFound, streamOf } from './internal';

const runMs = 30 * 60_000;

/**
 * Whether the test pattern runs on this stream, for every browser that shows it.
 * @throws AppError `not_found`
 */
export async function getTestPattern(ctx: TeamContext, id: string): Promise<TestPattern> {
  const { testPatternUntil } = await streamOf(ctx, id);
  const running = testPatternUntil !== null && testPatternUntil > ctx.clock.now();
  return { running, endsAt: running ? testPatternUntil.getTime() : null };
}

/** An encoder publishes to the stream: the test pattern ends. @returns whether it was asked for */
export async function withdrawTestPattern(ctx: SystemContext, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const { count } = await tx.db.stream.updateMany({
      where: { id, testPatternUntil: { not: null } },
      data: { testPatternUntil: null },
    });
    if (count > 0) await notify(tx.db, 'stream_changed', id);
    return count > 0;
  });
}

/**
 * Asks the jobs role to publish the test card to this stream for half an hour, or to stop.
 * @throws AppError `not_found`, `conflict` when the stream cannot take it now
 */
export async function setTestPattern(
  ctx: TeamContext,
  { id, running }: { readonly id: string; readonly running: boolean },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const stream = await streamOf(tx, id);
    if (stream.parentId !== null)
      throw new AppError('conflict', 'a child-session object cannot be published to');
    if (running && stream.suspended) throw new AppError('conflict', 'the stream is suspended');
    const now = ctx.clock.now();
    const showing = stream.testPatternUntil !== null && stream.testPatternUntil > now;
    if (running && stream.isActive && !showing) {
      throw new AppError('conflict', 'an encoder is publishing to this stream');
    }
    const { count } = await tx.db.stream.updateMany({
      where: { id, teamId: ctx.actor.teamId, deletedAt: null },
      data: { testPatternUntil: running ? new Date(now.getTime() + runMs) : null },
    });
    if (count === 0) throw notFound();
    const action = running ? 'stream.test-pattern-started' : 'stream.test-pattern-stopped';
    await recordAudit(tx, { action, objectId: id });
    await notify(tx.db, 'stream_changed', id);
  });
}
