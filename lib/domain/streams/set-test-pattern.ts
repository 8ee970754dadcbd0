import { MINUTE_MS } from '@/lib/core/units';
import { PreviewTokens } from '@/lib/domain/access';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext, type SystemContext } from '@/lib/domain/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type {
  TestPattern,
  setTestPattern as setTestPatternEndpoint,
} from '@/lib/contract/streams/test-pattern';
import { AppError, notFound } from '@/lib/core/errors';
import { newPlaybackId } from '@/lib/infra/ids';
import { notify } from '@/lib/infra/notifications';
import { requireStream } from './internal';

const TEST_PATTERN_DURATION_MS = 30 * MINUTE_MS;

/**
 * State of the test pattern of this stream.
 * @throws AppError `not_found`
 */
export async function getTestPattern(ctx: TeamContext, id: string): Promise<TestPattern> {
  const [{ testPatternUntil, previewPlaybackId: playbackId }, receivedStream] = await Promise.all([
    requireStream(ctx, id),
    // A stream of the team that received video, including deleted streams.
    ctx.db.stream.findFirst({
      where: { teamId: ctx.actor.teamId, lastSeen: { not: null } },
      select: { id: true },
    }),
  ]);
  const isRunning = testPatternUntil !== null && testPatternUntil > ctx.clock.now();
  // A preview token carries the membership of a person: the caller, or the creator of the API key.
  const userId = ctx.actor.userId ?? ctx.actor.keyCreator;
  const isPreviewed = isRunning && playbackId !== null && userId !== undefined;
  return {
    running: isRunning,
    endsAt: isRunning ? testPatternUntil.getTime() : null,
    preview: isPreviewed ? { playbackId, token: new PreviewTokens(ctx).issue(playbackId, userId) } : null,
    videoReceived: receivedStream !== null,
  };
}

/**
 * Ends the test pattern of a stream, because an encoder publishes to it.
 * @returns whether a test pattern was requested
 */
export async function withdrawTestPattern(ctx: SystemContext, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const { count } = await tx.db.stream.updateMany({
      where: { id, testPatternUntil: { not: null } },
      data: { testPatternUntil: null, previewPlaybackId: null },
    });
    if (count > 0) await notify(tx.db, 'stream_changed', id);
    return count > 0;
  });
}

/**
 * Starts or stops the test pattern: a process with the role jobs publishes it to this stream for half an hour.
 * @param preview whether only the team can watch the test pattern, without session, targets and viewers; default false
 * @throws AppError `not_found`, `conflict` if the stream cannot accept the test pattern now
 */
export async function setTestPattern(
  ctx: TeamContext,
  { id, running, preview = false }: BodyOf<typeof setTestPatternEndpoint> & { readonly id: string },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const stream = await requireStream(tx, id);
    if (stream.parentId !== null)
      throw new AppError('conflict', 'a child-session object cannot be published to');
    if (running && stream.suspended) throw new AppError('conflict', 'the stream is suspended');
    const now = ctx.clock.now();
    const wasRunning = stream.testPatternUntil !== null && stream.testPatternUntil > now;
    if (running && stream.isActive && !wasRunning) {
      throw new AppError('conflict', 'an encoder is publishing to this stream');
    }
    const { count } = await tx.db.stream.updateMany({
      where: { id, teamId: ctx.actor.teamId, deletedAt: null },
      data: running
        ? {
            testPatternUntil: new Date(now.getTime() + TEST_PATTERN_DURATION_MS),
            previewPlaybackId: preview ? (wasRunning && stream.previewPlaybackId) || newPlaybackId() : null,
          }
        : // The stream stays a preview until the test pattern has ended.
          { testPatternUntil: null },
    });
    if (count === 0) throw notFound();
    const action = running ? 'stream.test-pattern-started' : 'stream.test-pattern-stopped';
    await recordAudit(tx, { action, objectId: id });
    await notify(tx.db, 'stream_changed', id);
  });
}
