import { defined } from '@/lib/core/defined';
import type { WorkerContext } from '@/lib/domain/context';
import { freeDiskSpace } from '@/lib/infra/storage/disk-space';
import {
  holdForSpool,
  keepForDvr,
  releaseFromSpool,
  reviveRecording,
  startLateSession,
} from '@/lib/domain/sessions';
import { emitRecordingEvent } from '@/lib/domain/streams';
import { every } from '@/media-worker/kit/process/every';
import type { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { DrainSpool } from './drain-spool';
import type { Spool } from './spool';

const drainMs = 1_000;
/** Age without changes after which a spool folder counts as abandoned: live processes store recordings within seconds. */
export const spoolQuietMs = 30_000;

/**
 * Drains the spool of this node until the process ends.
 * @param quietMs minimum age without changes for folders of other processes, which their live processes may still store
 */
export function startDrainingSpool(
  ctx: WorkerContext,
  spool: Spool,
  lifecycle: Lifecycle,
  { quietMs }: { readonly quietMs?: number } = {},
): void {
  const drain = spoolDrain(ctx, spool, quietMs);
  const drainTimer = every(drainMs, 'recording spool', ctx.log, () => drain.pass());
  lifecycle.own('recording spool', async () => {
    await drainTimer.close();
    await drain.pass();
  });
}

/** A drain that uses the database of `ctx`. */
function spoolDrain(ctx: WorkerContext, spool: Spool, quietMs?: number): DrainSpool {
  const { storage, clock, log } = ctx;
  const sessions = {
    hold: (sessionId: string, seconds: number) => holdForSpool(ctx, sessionId, seconds),
    exists: (sessionId: string) => reviveRecording(ctx, sessionId, emitRecordingEvent),
    keep: (sessionId: string) => keepForDvr(ctx, sessionId),
    startLate: (late: Parameters<typeof startLateSession>[1]) =>
      startLateSession(ctx, late, emitRecordingEvent),
    release: (sessionId: string) => releaseFromSpool(ctx, sessionId),
  };
  return new DrainSpool({
    spool,
    storage,
    sessions,
    clock,
    log,
    ...defined({ quietMs }),
  });
}

/**
 * Bytes that can still be recorded, after the reserve on the disk of the spool and, for storage on a disk, the reserve on
 * that disk.
 */
export async function spoolRoom(ctx: WorkerContext, spool: Spool): Promise<number> {
  return Math.min(await ctx.storage.room(), await freeDiskSpace(spool.path));
}
