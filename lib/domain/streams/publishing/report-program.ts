import { type SystemContext, transact } from '@/lib/domain/context';
import type { ProgramInput, ProgramReport } from '@/lib/core/streams/program-state';
import { Prisma } from '@/lib/generated/prisma/client';
import { emitEvent } from '@/lib/domain/webhooks';
import { readStreamEventFields } from '@/lib/domain/streams/stream-event-fields';
import type { PublishGuard } from './internal-live';

/** Stores the program report of a live node, unless the publish has ended or a later one has started. */
export async function reportProgram(
  ctx: SystemContext,
  { streamId, nodeId, publishNumber, program }: PublishGuard & { readonly program: ProgramReport | null },
): Promise<void> {
  await ctx.db.stream.updateMany({
    where: { id: streamId, runs: publishNumber, liveNodeId: nodeId },
    data: { program: program ? programJson(program, ctx.clock.now()) : Prisma.DbNull },
  });
}

/**
 * The report as JSON for its column.
 * @param now time of the report, from which readers compute its age
 */
const programJson = ({ primary, standby, ...otherFields }: ProgramReport, now: Date) => ({
  ...otherFields,
  reportedAt: now.getTime(),
  primary: primary && { ...primary },
  standby: standby && { ...standby },
});

type ProgramEvent =
  | { readonly name: 'stream.switched'; readonly payload: { readonly to: ProgramInput } }
  | { readonly name: 'stream.slate_started' | 'stream.slate_ended' };

/** Records that another encoder of an active stream is on air. */
export function recordInputSwitch(
  ctx: SystemContext,
  { to, ...publish }: PublishGuard & { readonly to: ProgramInput },
): Promise<void> {
  return emitProgramEvent(ctx, publish, { name: 'stream.switched', payload: { to } });
}

/** Records that the slate of an active stream is on air. */
export function recordSlateStart(ctx: SystemContext, publish: PublishGuard): Promise<void> {
  return emitProgramEvent(ctx, publish, { name: 'stream.slate_started' });
}

/** Records that the slate is off air. */
export function recordSlateEnd(ctx: SystemContext, publish: PublishGuard): Promise<void> {
  return emitProgramEvent(ctx, publish, { name: 'stream.slate_ended' });
}

function emitProgramEvent(
  ctx: SystemContext,
  { streamId, nodeId, publishNumber }: PublishGuard,
  event: ProgramEvent,
): Promise<void> {
  return transact(ctx, async (tx) => {
    const [stream] = await tx.db.stream.updateManyAndReturn({
      where: { id: streamId, liveNodeId: nodeId, runs: publishNumber, isActive: true, deletedAt: null },
      data: { eventSequence: { increment: 1 } },
    });
    if (stream) await emitEvent(tx, { ...event, ...(await readStreamEventFields(tx, stream)) });
  });
}
