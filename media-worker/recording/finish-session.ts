import { MINUTE_MS } from '@/lib/core/units';
import { importRecording } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import type { JobQueues } from '@/lib/infra/queue/queue';
import {
  startRecordingRun,
  completeRecording,
  listDueSessions,
  planSessions,
  postponeRecording,
  delayForSegments,
  type PlannedSession,
  type RecordingRun,
  endExpiredSession,
} from '@/lib/domain/sessions';
import { emitRecordingEvent } from '@/lib/domain/streams';
import { makeRecording, RecordingError } from './make-recording';
import { Spool } from './spool';
import type { JobHandler } from '@/media-worker/kit/process/workers';
import type { AddJobs } from '@/media-worker/kit/process/job-notifications';

/** Number of recordings finished at the same time. Copying is limited by the disk, so more would not be faster. */
const CONCURRENCY = 2;
/** Timeout for the files of one recording. Hours of media are copied in a few minutes, so a longer run is stuck. */
const TIMEOUT_MS = 30 * MINUTE_MS;
/** Delay before a session whose segments are still in the spool is tried again. */
const SEGMENT_WAIT_SECONDS = 1;

/** Returns whether files of a session are still in the spool of this node. */
type IsInSpool = (sessionId: string) => Promise<boolean>;

/** Handles the queue `recordings`: ends sessions whose reconnect window is over, and finishes their recordings. */
export function createRecordingHandler(ctx: WorkerContext, queues: JobQueues): JobHandler<'recordings'> {
  const spool = new Spool(ctx.settings.dataDir, 'jobs');
  // The row of the session says this too, unless the database was unavailable when segments were written.
  const isInSpool = async (sessionId: string) => (await spool.listSessionIds()).includes(sessionId);
  return {
    concurrency: CONCURRENCY,
    run: ({ sessionId }, signal) => finishSession(ctx, sessionId, { inSpool: isInSpool, signal }),
    afterwards: ({ sessionId }) => sessionJobs(ctx, queues).addFor([sessionId]),
  };
}

/** Adds one job per session, for the time in its row. A session that is live or finished gets none. */
export function sessionJobs(ctx: WorkerContext, queues: JobQueues): AddJobs {
  const addJobs = async (sessions: readonly PlannedSession[]) => {
    for (const { sessionId, delayMs } of sessions) {
      await queues.reschedule('recordings', { sessionId }, { jobId: sessionId, delayMs });
    }
  };
  return {
    addFor: async (ids) => addJobs(await planSessions(ctx, ids)),
    addAll: async () => {
      const dueSessions = await listDueSessions(ctx);
      await addJobs(dueSessions);
      if (dueSessions.length > 0) await queues.wake('recordings');
    },
  };
}

/**
 * Runs the next step of an ended session according to its row: end it, make the files of its recording, or announce that it
 * is ready.
 */
export async function finishSession(
  ctx: WorkerContext,
  sessionId: string,
  { inSpool, signal }: { readonly inSpool: IsInSpool; readonly signal: AbortSignal },
): Promise<void> {
  await endExpiredSession(ctx, sessionId);
  if (await completeRecording(ctx, sessionId, emitRecordingEvent)) return;
  if (await inSpool(sessionId)) {
    await delayForSegments(ctx, sessionId, SEGMENT_WAIT_SECONDS);
    return;
  }
  const run = await startRecordingRun(ctx, sessionId);
  if (run) await makeFiles(ctx, run, signal);
}

/** Makes the files of a recording. If that fails, the session is tried again later, or its recording fails. */
async function makeFiles(ctx: WorkerContext, run: RecordingRun, stopSignal: AbortSignal): Promise<void> {
  const log = ctx.log.child({ sessionId: run.session.id });
  const startedAtMs = ctx.clock.monotonic();
  try {
    const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(TIMEOUT_MS)]);
    const recordingFiles = await makeRecording(run.session.id, { storage: ctx.storage, signal });
    const { gaps, unreadable } = recordingFiles;
    if (unreadable.length > 0) log.warn({ periods: unreadable }, 'unreadable parts of a recording left out');
    const isKept = await importRecording(ctx, run, recordingFiles);
    const ms = Math.round(ctx.clock.monotonic() - startedAtMs);
    log.info({ kept: isKept, ms, gaps: gaps.length }, 'recording finished');
  } catch (error) {
    if (stopSignal.aborted) log.info('recording interrupted; another worker will finish it');
    else await postponeOrFail(ctx, run, error);
  }
}

/** Schedules another attempt. After a final error or the last attempt, the recording fails with the reason. */
async function postponeOrFail(ctx: WorkerContext, run: RecordingRun, error: unknown): Promise<void> {
  const sessionId = run.session.id;
  const isRecordingError = error instanceof RecordingError;
  const reason = isRecordingError ? error.message : 'The files of the recording could not be created.';
  const hasFailed = await postponeRecording(ctx, run, { reason, final: isRecordingError && error.final });
  ctx.log.warn({ err: error, sessionId, failed: hasFailed }, 'recording not finished');
}
