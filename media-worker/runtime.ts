import { createPostgresBackend, createRedisBackend, Queue, Worker, type Job } from 'bullmq';
import { jobs, type JobData, type JobName } from '@/lib/contract/jobs';
import type { Settings } from '@/lib/infra/env';
import type { Logger } from '@/lib/infra/logger';
import {
  jobOptions,
  postgresConnection,
  prepareQueue,
  queueName,
  reasonOf,
  redisConnection,
} from '@/lib/infra/queue';

/** One function a job: it gets checked data, reads the row again, and is harmless when run twice. */
export type JobHandlers = { readonly [N in JobName]: (data: JobData<N>) => Promise<void> };

export interface JobWorkers {
  /** Lets running jobs end, for at most `graceMs`. May be called twice. */
  close(graceMs?: number): Promise<void>;
}

type RuntimeSettings = Pick<Settings, 'databaseUrl' | 'redisUrl'>;

export interface RuntimeOptions {
  readonly concurrency?: number;
  /** How often the sweep runs. */
  readonly sweepMs?: number;
  /** How often the sweep's schedule is written again, because a queue may lose everything it holds. */
  readonly renewMs?: number;
}

/** With BullMQ's defaults the job of a killed worker would stall for a minute. */
const recovery = { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 5 };
const retryMs = 1_000;

/** Works on jobs until it is closed; it comes back by itself when the queue was away. */
export function startJobWorkers(
  settings: RuntimeSettings,
  handlers: JobHandlers,
  log: Logger,
  { concurrency = 4, sweepMs = 5_000, renewMs = 30_000 }: RuntimeOptions = {},
): JobWorkers {
  let connected: Connected | null = null;
  let closing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const process = (job: Job) => runJob(job, handlers);
  const turn = async () => {
    try {
      connected ??= await connect(settings, process, concurrency, log);
      await connected.queue.upsertJobScheduler(
        'sweep',
        { every: sweepMs },
        { name: 'sweep', data: {}, opts: jobOptions },
      );
      return renewMs;
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'queue is unavailable');
      return retryMs;
    }
  };
  const loop = (): Promise<void> =>
    turn().then((waitMs) => {
      if (closing) return;
      timer = setTimeout(() => {
        running = loop();
      }, waitMs);
    });
  let running = loop();

  const close = async (graceMs: number) => {
    clearTimeout(timer);
    await Promise.race([running.then(() => connected?.close()), after(graceMs)]);
  };
  return { close: (graceMs = 8_000) => (closing ??= close(graceMs)) };
}

interface Connected {
  readonly queue: Pick<Queue, 'upsertJobScheduler'>;
  close(): Promise<void>;
}

async function connect(
  settings: RuntimeSettings,
  process: (job: Job) => Promise<void>,
  concurrency: number,
  log: Logger,
): Promise<Connected> {
  await prepareQueue(settings);
  const { queue, worker } = create(settings, process, { ...recovery, concurrency });
  const warn = (error: Error) => log.warn({ reason: reasonOf(error) }, 'queue interrupted');
  queue.on('error', warn);
  worker.on('error', warn);
  worker.on('failed', (job, error) =>
    log.warn({ reason: error.stack, job: job?.name, id: job?.id }, 'job failed'),
  );
  worker.on('stalled', (id) => log.warn({ id }, 'stalled job of a dead worker restarted'));
  const close = async () => {
    await Promise.allSettled([worker.close(), queue.close()]);
  };
  try {
    await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
    return { queue, close };
  } catch (error) {
    void close();
    throw error;
  }
}

function create(
  settings: RuntimeSettings,
  process: (job: Job) => Promise<void>,
  options: typeof recovery & { readonly concurrency: number },
) {
  if (settings.redisUrl) {
    const blocking = redisConnection(settings.redisUrl, { maxRetriesPerRequest: null });
    const nonBlocking = redisConnection(settings.redisUrl, {
      maxRetriesPerRequest: 1,
      commandTimeout: 2_000,
    });
    return {
      queue: new Queue(queueName, { connection: nonBlocking }, createRedisBackend),
      worker: new Worker(queueName, process, { ...options, connection: blocking }, createRedisBackend),
    };
  }
  return {
    queue: new Queue(queueName, { connection: postgresConnection(settings, 1) }, createPostgresBackend),
    worker: new Worker(
      queueName,
      process,
      { ...options, connection: postgresConnection(settings, 3) },
      createPostgresBackend,
    ),
  };
}

/** @throws for a job of an unknown name or with other data than its schema: it fails and is kept to be seen */
async function runJob(job: Job, handlers: JobHandlers): Promise<void> {
  if (!isJobName(job.name)) throw new Error(`No such job: ${job.name}`);
  await handlers[job.name](jobs[job.name].parse(job.data));
}

function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobs, name);
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
