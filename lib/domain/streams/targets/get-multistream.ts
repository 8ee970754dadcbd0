import type { TeamContext } from '@/lib/domain/context';
import type { TargetStatus as StatusObject } from '@/lib/contract/targets/multistream';
import { hasReachedTarget, type TargetState } from '@/lib/core/targets/target-state';
import type { MultistreamTarget, TargetStatus } from '@/lib/generated/prisma/client';
import { targetTestOutcomes } from '@/lib/core/targets/target-finding';
import { requireStream } from '@/lib/domain/streams/internal';
import { reasonField } from '@/lib/core/reasons/reason';

/**
 * The status of each target of the stream, in the order of the references.
 * @throws AppError `not_found`
 */
export async function getMultistream(ctx: TeamContext, id: string): Promise<StatusObject[]> {
  await requireStream(ctx, id);
  const references = await ctx.db.streamTarget.findMany({
    where: { streamId: id },
    orderBy: { position: 'asc' },
    include: { target: true },
  });
  const statuses = await ctx.db.targetStatus.findMany({ where: { streamId: id } });
  const now = ctx.clock.now().getTime();
  return references.map(({ targetId, profile, videoOnly, target }) => {
    const status = statuses.find((row) => row.targetId === targetId && row.profile === profile);
    const { name, disabled } = target;
    return { id: targetId, name, profile, videoOnly, disabled, ...statusFieldsOf(status, target, now) };
  });
}

/** Status of a target that a stream refers to. Without a row, no publish has sent to the target yet. */
function statusFieldsOf(row: TargetStatus | undefined, target: MultistreamTarget, now: number) {
  const state: TargetState = row?.state ?? 'disconnected';
  const since = row?.since.getTime() ?? 0;
  const isConnected = state === 'connected';
  return {
    state,
    since,
    uptime: isConnected ? Math.max(0, Math.floor((now - since) / 1_000)) : 0,
    bitrate: isConnected ? (row?.bitrate ?? 0) : 0,
    reached: hasReachedTarget({
      ...target,
      reportedEvent: row?.reportedEvent ?? null,
      lastError: row?.error ?? null,
      since: row?.since ?? null,
    }),
    lastTest: lastTestOf(target),
    lastError:
      row?.error && row.errorAt
        ? { message: row.error, ...reasonField('reason', row.error), at: row.errorAt.getTime() }
        : null,
  };
}

function lastTestOf({ testedAt, testOutcome, testMessage }: MultistreamTarget): StatusObject['lastTest'] {
  const outcome = targetTestOutcomes.find((value) => value === testOutcome);
  if (!testedAt || !outcome || testMessage === null) return null;
  return { outcome, message: testMessage, ...reasonField('reason', testMessage), at: testedAt.getTime() };
}
