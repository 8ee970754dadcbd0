import { createPostgresBackend, createRedisBackend, UnrecoverableError, Worker, type Job } from 'bullmq';
import { jobs, type JobData, type QueueName } from '@/lib/contract/jobs';
import type { Logger } from '@/lib/infra/logger';
import { metrics } from '@/lib/infra/metrics/metrics';
import { COUNTED_MINUTES } from '@/lib/infra/queue/queue-counts';
import { driverErrorMessage } from '@/lib/infra/driver-error';
import { prepareQueue, type JobQueues } from '@/lib/infra/queue/queue';
import {
  postgresConnectionOptions,
  redisConnectionOptions,
  type QueueSettings,
} from '@/lib/infra/queue/queue-connections';
import { within } from '@/lib/infra/within';
import { JobRuns } from './job-runs';

/** How a process handles the jobs of one queue. */
export interface JobHandler<N extends QueueName> {
  /** Maximum number of concurrent jobs in this process. */
  readonly concurrency: number;
  /** Whether jobs of a killed worker may restart only after a minute. */
  readonly isLowPriority?: boolean;
  /**
   * Runs a job with validated data. It must read the row again, because a job may run twice. Errors are retried,
   * except PermanentFailure.
   * @param signal aborted when this worker loses the job, or the process ends
   */
  readonly run: (data: JobData<N>, signal: AbortSignal) => Promise<void>;
  /** Plans the next job. Runs after the job has left the queue, so that a job with the same id can be added. */
  readonly afterwards?: (data: JobData<N>) => Promise<void>;
}

export type JobHandlers = { readonly [N in QueueName]?: JobHandler<N> };

export interface JobWorkers {
  /** Aborts running jobs and waits until they have ended, for at most `graceMs`. Idempotent. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Thrown by a job whose failure is stored in its row and whose retry is useless. The queue keeps the job for a
 * day.
 */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}

/**
 * BullMQ options for jobs of killed workers. With its defaults, such a job would wait for a minute, and the second time it
 * would fail instead of being retried.
 */
const recovery = { lockDuration: 10_000, maxStalledCount: 5 };
/** Interval at which jobs of killed workers are detected. */
const STALLED_INTERVAL_MS = 5_000;
/**
 * Seconds between polls, for jobs whose notification was missed. The sweep `due` also wakes the workers of the other
 * queues, but not those whose connection broke while the database was frozen.
 */
const drainDelaySeconds = { upkeep: 20, otherQueues: 30 };
const RETRY_DELAY_MS = 1_000;
const SCHEDULE_CHECK_INTERVAL_MS = 10_000;

interface WorkersOptions {
  /** Interval at which the schedules of sweeps are checked, because Redis may lose its data. */
  readonly scheduleCheckIntervalMs?: number;
}

/** Starts workers for all queues with a handler. They reconnect automatically after an outage of the queue. */
export function startWorkers(
  settings: QueueSettings,
  queues: JobQueues,
  handlers: JobHandlers,
  log: Logger,
  options: WorkersOptions = {},
): JobWorkers {
  let workers: RunningWorker[] | null = null;
  let closing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let hasSchedules = false;

  const connectOnce = async () => {
    try {
      if (handlers.upkeep) {
        hasSchedules &&= await queues.hasSchedules();
        // Schedules are corrected before the workers start, because a sweep of another version has no handler.
        if (!hasSchedules) await queues.scheduleSweeps();
        hasSchedules = true;
      }
      workers ??= await connect(settings, handlers, log);
      return options.scheduleCheckIntervalMs ?? SCHEDULE_CHECK_INTERVAL_MS;
    } catch (error) {
      log.warn({ reason: driverErrorMessage(error) }, 'queue unavailable; retrying');
      return RETRY_DELAY_MS;
    }
  };
  const runLoop = (): Promise<void> =>
    connectOnce().then((waitMs) => {
      if (closing) return;
      timer = setTimeout(() => {
        currentLoop = runLoop();
      }, waitMs);
    });
  let currentLoop = runLoop();

  const close = async (graceMs: number) => {
    clearTimeout(timer);
    const whenWorkersClosed = currentLoop.then(() =>
      Promise.all((workers ?? []).map((worker) => worker.close())),
    );
    await within(graceMs, whenWorkersClosed, () => undefined);
  };
  return { close: (graceMs = 8_000) => (closing ??= close(graceMs)) };
}

interface RunningWorker {
  close(): Promise<void>;
}

async function connect(
  settings: QueueSettings,
  handlers: JobHandlers,
  log: Logger,
): Promise<RunningWorker[]> {
  await prepareQueue(settings);
  const { upkeep, transfers, tasks, encodings, storyboards, renditions, recordings, deliveries, patterns } =
    handlers;
  const workers = [
    upkeep && openWorker(settings, 'upkeep', upkeep, log),
    transfers && openWorker(settings, 'transfers', transfers, log),
    tasks && openWorker(settings, 'tasks', tasks, log),
    encodings && openWorker(settings, 'encodings', encodings, log),
    storyboards && openWorker(settings, 'storyboards', storyboards, log),
    renditions && openWorker(settings, 'renditions', renditions, log),
    recordings && openWorker(settings, 'recordings', recordings, log),
    deliveries && openWorker(settings, 'deliveries', deliveries, log),
    patterns && openWorker(settings, 'patterns', patterns, log),
  ].filter((worker) => worker !== undefined);
  try {
    await Promise.all(workers.map(({ ready }) => ready));
    return workers;
  } catch (error) {
    for (const worker of workers) void worker.close();
    throw error;
  }
}

function openWorker<N extends QueueName>(
  settings: QueueSettings,
  name: N,
  handler: JobHandler<N>,
  log: Logger,
): RunningWorker & { readonly ready: Promise<unknown> } {
  /** Calls of `afterwards` that are running. */
  const pendingPlans = new Set<Promise<void>>();
  const parseData = (job: Job) => jobs[name].parse(job.data) as JobData<N>;
  const controller = new AbortController();
  const runs = new JobRuns<Job>();
  const run = (job: Job, lockSignal: AbortSignal) =>
    runs.run(job, AbortSignal.any([lockSignal, controller.signal]), (signal) =>
      handler.run(parseData(job), signal),
    );
  const worker = createWorker(settings, name, handler, run);
  const logFields = (job?: Job) => ({ queue: name, id: job?.id });
  const afterwards = (job: Job) => {
    const plan = handler.afterwards?.(parseData(job)).catch((error: unknown) => {
      log.warn({ reason: driverErrorMessage(error), ...logFields(job) }, 'next job not scheduled');
    });
    if (!plan) return;
    pendingPlans.add(plan);
    void plan.then(() => pendingPlans.delete(plan));
  };
  const confirmEnd = (job: Job) => {
    runs.confirmEnd(job);
    afterwards(job);
  };
  worker.on('error', (error) => {
    log.warn({ reason: driverErrorMessage(error), queue: name }, 'queue error');
    // The queue rejects the end of a job that it has lost. If the queue was emptied, no other worker has the job.
    for (const job of runs.unconfirmedJobs()) confirmEnd(job);
  });
  worker.on('completed', (job) => {
    metrics.jobsEnded.inc({ queue: name, outcome: 'completed' });
    confirmEnd(job);
  });
  worker.on('failed', (job, error) => {
    metrics.jobsEnded.inc({ queue: name, outcome: 'failed' });
    log.warn({ reason: error.stack, ...logFields(job) }, 'job failed');
    if (job) runs.confirmEnd(job);
  });
  worker.on('stalled', (id) => log.warn({ queue: name, id }, 'job of a dead worker restarted'));
  worker.on('lockRenewalFailed', (ids) => {
    for (const id of ids) worker.cancelJob(id, 'another worker has this job');
  });
  return {
    ready: worker.waitUntilReady(),
    async close() {
      controller.abort();
      await worker.close();
      await Promise.all(pendingPlans);
    },
  };
}

function createWorker(
  settings: QueueSettings,
  name: QueueName,
  { concurrency, isLowPriority = false }: Pick<JobHandler<QueueName>, 'concurrency' | 'isLowPriority'>,
  run: (job: Job, signal: AbortSignal) => Promise<void>,
) {
  const processJob = async (job: Job, _token: string | undefined, signal?: AbortSignal) => {
    try {
      await run(job, signal ?? new AbortController().signal);
    } catch (error) {
      throw error instanceof PermanentFailure ? new UnrecoverableError(error.message) : error;
    }
  };
  const options = {
    ...recovery,
    stalledInterval: isLowPriority ? 6 * STALLED_INTERVAL_MS : STALLED_INTERVAL_MS,
    concurrency,
    metrics: { maxDataPoints: COUNTED_MINUTES },
  };
  if (settings.redisUrl) {
    const connection = redisConnectionOptions(settings.redisUrl, { maxRetriesPerRequest: null });
    return new Worker(name, processJob, { ...options, connection }, createRedisBackend);
  }
  return new Worker(
    name,
    processJob,
    {
      ...options,
      drainDelay: name === 'upkeep' ? drainDelaySeconds.upkeep : drainDelaySeconds.otherQueues,
      connection: postgresConnectionOptions(settings, 3),
    },
    createPostgresBackend,
  );
}
