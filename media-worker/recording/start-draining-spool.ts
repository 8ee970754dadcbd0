import { omitUndefined } from '@/lib/core/omit-undefined';
import type { WorkerContext } from '@/lib/domain/context';
import { freeDiskSpace } from '@/lib/infra/storage/disk-space';
import {
  holdForSpool,
  markForDvr,
  releaseFromSpool,
  recoverRecording,
  startLateSession,
} from '@/lib/domain/sessions';
import { emitRecordingEvent } from '@/lib/domain/streams';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import type { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { SpoolDrain } from './drain-spool';
import type { Spool } from './spool';

const DRAIN_INTERVAL_MS = 1_000;
/** Time without changes after which a spool folder counts as abandoned: live processes store segments within seconds. */
export const SPOOL_QUIET_MS = 30_000;

/**
 * Moves recorded segments from the spool of this node to the storage every second until the process ends, and once at its
 * end.
 * @param quietMs time without changes after which folders of other processes are drained too: their live processes may
 * still do it before. Absent: folders of other processes are drained without delay.
 */
export function startDrainingSpool(
  ctx: WorkerContext,
  spool: Spool,
  lifecycle: Lifecycle,
  { quietMs }: { readonly quietMs?: number } = {},
): void {
  const drain = createSpoolDrain(ctx, spool, quietMs);
  const drainTimer = runPeriodically(DRAIN_INTERVAL_MS, 'recording spool', ctx.log, () => drain.runPass());
  lifecycle.own('recording spool', async () => {
    await drainTimer.close();
    await drain.runPass();
  });
}

/** Creates the object that moves segments from the spool to the storage, and records that in the sessions. */
function createSpoolDrain(ctx: WorkerContext, spool: Spool, quietMs?: number): SpoolDrain {
  const { storage, clock, log } = ctx;
  const sessions = {
    hold: (sessionId: string, seconds: number) => holdForSpool(ctx, sessionId, seconds),
    createMissingRecording: (sessionId: string) => recoverRecording(ctx, sessionId, emitRecordingEvent),
    markForDvr: (sessionId: string) => markForDvr(ctx, sessionId),
    startLate: (lateSession: Parameters<typeof startLateSession>[1]) =>
      startLateSession(ctx, lateSession, emitRecordingEvent),
    release: (sessionId: string) => releaseFromSpool(ctx, sessionId),
  };
  return new SpoolDrain({
    spool,
    storage,
    sessions,
    clock,
    log,
    ...omitUndefined({ quietMs }),
  });
}

/**
 * Bytes that can still be recorded: the free space of the spool's disk or of the storage, whichever is smaller. Neither
 * includes the space that must stay free on a disk.
 */
export async function measureSpoolRoom(ctx: WorkerContext, spool: Spool): Promise<number> {
  return Math.min(await ctx.storage.room(), await freeDiskSpace(spool.path));
}
