import {
  createPostgresBackend,
  createRedisBackend,
  Queue,
  runMigrations,
  type IQueueBackend,
  type JobsOptions,
  type QueueOptions,
} from 'bullmq';
import { Client } from 'pg';
import { jobs, queueNames, sweeps, type JobData, type QueueName } from '@/lib/contract/jobs';
import { driverErrorMessage } from '@/lib/infra/driver-error';
import type { Logger } from '@/lib/infra/logger';
import { within } from '@/lib/infra/within';
import {
  boundedRedisOptions,
  postgresConnectionOptions,
  QUEUE_TIMEOUT_MS,
  queueSchema,
  type QueueSettings,
} from './queue-connections';
import { readBacklog, readCounts, type QueueBacklog, type QueueCounts } from './queue-counts';
import { scheduleSweeps } from './sweep-schedules';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Queues of jobs. They are in PostgreSQL next to their rows, or in Redis if REDIS_URL is set (ADR 9). */

export interface JobOptions {
  /** Id of the job, unique in the queue. It must not consist of digits only or contain a colon. */
  readonly jobId: string;
  /** Delay before the job runs, in milliseconds. */
  readonly delayMs?: number;
  /** Priority from 1 (first). Jobs without a priority run before all others. */
  readonly priority?: number;
}

export interface AddedJob<N extends QueueName> {
  readonly data: JobData<N>;
  readonly jobId: string;
}

/**
 * Adds jobs after the commit of their row. Methods throw if the queue does not respond in time; the reconciler finds the row
 * later.
 */
export interface JobQueues {
  /** Adds a job unless one with this id exists. */
  enqueue<N extends QueueName>(name: N, data: JobData<N>, options: JobOptions): Promise<void>;
  /** Adds several jobs in one call. An existing delayed job with the same id becomes due now. */
  enqueueNow<N extends QueueName>(name: N, added: readonly AddedJob<N>[]): Promise<void>;
  /** Adds a job like `enqueue`, but an existing delayed job with this id gets the new delay. */
  reschedule<N extends QueueName>(name: N, data: JobData<N>, options: JobOptions): Promise<void>;
  /** Wakes the workers of a queue. A worker whose last poll failed would wait long before its next one. */
  wake(name: QueueName): Promise<void>;
  /** Writes the schedules of the sweeps, and removes those of another version. Unchanged schedules keep their times. */
  scheduleSweeps(): Promise<void>;
  /** Whether the number of schedules equals the number of sweeps. An emptied Redis has no schedules. */
  hasSchedules(): Promise<boolean>;
  counts(): Promise<QueueCounts[]>;
  backlogs(): Promise<QueueBacklog[]>;
  /** Whether the queue responds. Never rejects. */
  health(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Options of all jobs. If the work of a job fails, its row stores the failure, and the job itself succeeds. A job fails only
 * while the database or another internal service is unavailable, and is retried. Finished jobs are removed, because their ids
 * must be reusable.
 */
const jobOptions = {
  attempts: 1_000_000,
  backoff: { type: 'fixed', delay: 2_000 },
  removeOnComplete: true,
  removeOnFail: true,
} satisfies JobsOptions;

/** Opens the queues for adding jobs. Each connects on first use and after every failure. */
export function openQueues(settings: QueueSettings, log: Logger): JobQueues {
  const queuePromises = new Map<QueueName, Promise<OpenQueue>>();
  let preparation: Promise<void> | null = null;
  const prepare = () => {
    const attempt = (preparation ??= withTimeout(prepareQueue(settings), 'prepare'));
    attempt.catch(() => (preparation = null));
    return attempt;
  };
  const openQueueOf = (name: QueueName) => {
    const cachedQueue = queuePromises.get(name);
    if (cachedQueue) return cachedQueue;
    const attempt = prepare().then(() => openQueue(settings, name, log));
    queuePromises.set(name, attempt);
    attempt.catch(() => queuePromises.delete(name));
    return attempt;
  };
  const withQueue = <T>(name: QueueName, work: (queue: OpenQueue) => Promise<T>) =>
    withTimeout(openQueueOf(name).then(work), name);
  const withEach = <T>(work: (name: QueueName, queue: OpenQueue) => Promise<T>) =>
    Promise.all(queueNames.map((name) => withQueue(name, (queue) => work(name, queue))));

  return {
    async enqueue(name, data, options) {
      const checkedData = jobs[name].parse(data);
      await withQueue(name, (queue) => add(queue, name, checkedData, options));
    },
    async enqueueNow(name, newJobs) {
      const parsedJobs = newJobs.map(({ data, jobId }) => ({ data: jobs[name].parse(data), jobId }));
      if (newJobs.length > 0) await withQueue(name, (queue) => addNow(queue, name, parsedJobs));
    },
    async reschedule(name, data, options) {
      const checkedData = jobs[name].parse(data);
      await withQueue(name, async (queue) => {
        const delay = queue.backend.changeDelay(options.jobId, wholeMs(options.delayMs)).then(() => true);
        // Changing the delay fails if the job does not exist or is not delayed.
        if (!(await delay.catch(() => false))) await add(queue, name, checkedData, options);
      });
    },
    wake: (name) =>
      withQueue(name, async (queue) => {
        // An operator may have paused the queue with BullMQ tools.
        if (!(await queue.isPaused())) await queue.resume();
      }),
    scheduleSweeps: () => scheduleSweeps((work) => withQueue('upkeep', work)),
    hasSchedules: () =>
      withQueue('upkeep', (queue) => queue.getJobSchedulersCount()).then(
        (count) => count === Object.keys(sweeps).length,
      ),
    counts: () => withEach((name, queue) => readCounts(name, queue, settings)),
    backlogs: () => withEach(readBacklog),
    health: () =>
      withQueue('upkeep', (queue) => queue.getJobCountByTypes('active'))
        .then(() => true)
        .catch(() => false),
    async close() {
      const results = await Promise.allSettled(queuePromises.values());
      queuePromises.clear();
      const queues = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      const whenClosed = Promise.allSettled(queues.map((queue) => queue.close()));
      await withTimeout(whenClosed, 'close').catch(() => undefined);
    },
  };
}

const wholeMs = (ms = 0) => Math.max(0, Math.ceil(ms));

/** A queue with either backend. */
type OpenQueue = { readonly backend: Pick<IQueueBackend, 'changeDelay'> } & Pick<
  Queue,
  | 'add'
  | 'addBulk'
  | 'close'
  | 'getJobCounts'
  | 'getJobCountByTypes'
  | 'getJobSchedulers'
  | 'getJobSchedulersCount'
  | 'getMetrics'
  | 'getPrioritized'
  | 'getWaiting'
  | 'isPaused'
  | 'removeJobScheduler'
  | 'resume'
  | 'upsertJobScheduler'
>;

async function add(
  queue: OpenQueue,
  name: QueueName,
  data: object,
  { jobId, delayMs, priority }: JobOptions,
): Promise<void> {
  const delay = wholeMs(delayMs);
  await queue.add(name, data, { jobId, delay, ...omitUndefined({ priority }) });
}

/** Adds jobs and then changes their delay, so that a job that was added concurrently becomes due too. */
async function addNow(
  queue: OpenQueue,
  name: QueueName,
  newJobs: readonly { readonly data: object; readonly jobId: string }[],
): Promise<void> {
  const [first] = newJobs;
  // With PostgreSQL, addBulk creates temporary tables, which is slower than a single add.
  if (first && newJobs.length === 1) await add(queue, name, first.data, first);
  else await queue.addBulk(newJobs.map(({ data, jobId }) => ({ name, data, opts: { jobId } })));
  // Changing the delay fails if the job is not delayed.
  await Promise.all(newJobs.map(({ jobId }) => queue.backend.changeDelay(jobId, 0).catch(() => undefined)));
}

async function openQueue(settings: QueueSettings, name: QueueName, log: Logger): Promise<OpenQueue> {
  const common = { defaultJobOptions: jobOptions } satisfies Partial<QueueOptions>;
  const queue = settings.redisUrl
    ? new Queue(name, { ...common, connection: boundedRedisOptions(settings.redisUrl) }, createRedisBackend)
    : new Queue(
        name,
        { ...common, connection: postgresConnectionOptions(settings, 2) },
        createPostgresBackend,
      );
  queue.on('error', (error) => log.warn({ reason: driverErrorMessage(error), queue: name }, 'queue error'));
  try {
    await withTimeout(queue.waitUntilReady(), 'connect');
    return queue;
  } catch (error) {
    void queue.close().catch(() => undefined);
    throw error;
  }
}

/** Creates the tables of the queue in PostgreSQL. Idempotent; does nothing with Redis. */
export async function prepareQueue({ databaseUrl, redisUrl }: QueueSettings): Promise<void> {
  if (redisUrl) return;
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: QUEUE_TIMEOUT_MS });
  // Query errors report a lost server; an error event without a listener would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await runMigrations(client, queueSchema);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Waits for a call to the queue.
 * @throws Error after the timeout
 */
const withTimeout = <T>(work: Promise<T>, workName: string): Promise<T> =>
  within(QUEUE_TIMEOUT_MS, work, () => {
    throw new Error(`queue: ${workName} took longer than ${QUEUE_TIMEOUT_MS} ms`);
  });
