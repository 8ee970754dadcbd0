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
import type { Settings } from '@/lib/infra/env';
import type { Logger } from '@/lib/infra/logger';
import { within } from '@/lib/infra/within';
import { backlogOf, countsOf, type QueueBacklog, type QueueCounts } from './queue-counts';
import { scheduleSweeps } from './sweep-schedules';
import { defined } from '@/lib/core/defined';

/** Jobs are in PostgreSQL next to their rows, or in Redis if REDIS_URL is set (ADR 9). */

const schema = 'queue';
/** Timeout of each call to the queue, whatever state its server is in. */
const timeoutMs = 5_000;
export type QueueSettings = Pick<Settings, 'databaseUrl' | 'redisUrl'>;

export interface JobOptions {
  /** Id of the job, unique in the queue. It must not consist of digits only or contain a colon. */
  readonly jobId: string;
  /** Delay before the job runs, in milliseconds. */
  readonly delayMs?: number;
  /** Priority from 1 (first). Jobs without one run before all others. */
  readonly priority?: number;
}

export interface AddedJob<N extends QueueName> {
  readonly data: JobData<N>;
  readonly jobId: string;
}

/**
 * Call it after the commit of the row. Methods throw when the queue does not answer in time: the reconciler finds the
 * row.
 */
export interface JobQueues {
  /** Adds a job, unless there is one of this id. */
  enqueue<N extends QueueName>(name: N, data: JobData<N>, options: JobOptions): Promise<void>;
  /** Adds several in one call; a job of such an id that waits for its time runs now. */
  enqueueNow<N extends QueueName>(name: N, added: readonly AddedJob<N>[]): Promise<void>;
  /** Like `enqueue`, but a delayed job with this id gets the new time. */
  reschedule<N extends QueueName>(name: N, data: JobData<N>, options: JobOptions): Promise<void>;
  /** Makes the workers of a queue look for jobs: one that could not ask whether there are any waits for long. */
  wake(name: QueueName): Promise<void>;
  /** Writes the schedules of the sweeps, and removes those of another version; those that are right keep their time. */
  scheduleSweeps(): Promise<void>;
  /** Whether there are as many schedules as sweeps: a Redis that was emptied has none. */
  hasSchedules(): Promise<boolean>;
  counts(): Promise<QueueCounts[]>;
  backlogs(): Promise<QueueBacklog[]>;
  /** Whether the queue answers. Never throws. */
  health(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Failures and retries are stored on the rows. A job itself only fails while the database or another internal service
 * is unavailable, so it is retried until that is back. Finished jobs are removed, because their ids must be reusable.
 */
const jobOptions = {
  attempts: 1_000_000,
  backoff: { type: 'fixed', delay: 2_000 },
  removeOnComplete: true,
  removeOnFail: true,
} satisfies JobsOptions;

/** Opens the queues for adding jobs; each connects on first use and again after every failure. */
export function openQueues(settings: QueueSettings, log: Logger): JobQueues {
  const opening = new Map<QueueName, Promise<OpenQueue>>();
  let preparing: Promise<void> | null = null;
  const prepare = () => {
    const attempt = (preparing ??= inTime(prepareQueue(settings), 'prepare'));
    attempt.catch(() => (preparing = null));
    return attempt;
  };
  const opened = (name: QueueName) => {
    const cachedQueue = opening.get(name);
    if (cachedQueue) return cachedQueue;
    const attempt = prepare().then(() => openQueue(settings, name, log));
    opening.set(name, attempt);
    attempt.catch(() => opening.delete(name));
    return attempt;
  };
  const ask = <T>(name: QueueName, work: (queue: OpenQueue) => Promise<T>) =>
    inTime(opened(name).then(work), name);

  return {
    async enqueue(name, data, options) {
      const checked = jobs[name].parse(data);
      await ask(name, (queue) => add(queue, name, checked, options));
    },
    async enqueueNow(name, added) {
      const parsedJobs = added.map(({ data, jobId }) => ({ data: jobs[name].parse(data), jobId }));
      if (added.length > 0) await ask(name, (queue) => addNow(queue, name, parsedJobs));
    },
    async reschedule(name, data, options) {
      const checked = jobs[name].parse(data);
      await ask(name, async (queue) => {
        const delay = queue.backend.changeDelay(options.jobId, wholeMs(options.delayMs)).then(() => true);
        // Changing the delay fails if the job does not exist or is not delayed.
        if (!(await delay.catch(() => false))) await add(queue, name, checked, options);
      });
    },
    wake: (name) =>
      ask(name, async (queue) => {
        // An operator may have paused it with tools of BullMQ.
        if (!(await queue.isPaused())) await queue.resume();
      }),
    scheduleSweeps: () => scheduleSweeps((work) => ask('upkeep', work)),
    async hasSchedules() {
      const count = await ask('upkeep', (queue) => queue.getJobSchedulersCount());
      return count === Object.keys(sweeps).length;
    },
    counts: () =>
      Promise.all(queueNames.map((name) => ask(name, (queue) => countsOf(name, queue, settings)))),
    backlogs: () => Promise.all(queueNames.map((name) => ask(name, (queue) => backlogOf(name, queue)))),
    health: () =>
      ask('upkeep', (queue) => queue.getJobCountByTypes('active')).then(
        () => true,
        () => false,
      ),
    async close() {
      const queues = await Promise.allSettled(opening.values());
      opening.clear();
      const open = queues.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      await inTime(Promise.allSettled(open.map((queue) => queue.close())), 'close').catch(() => undefined);
    },
  };
}

const wholeMs = (ms = 0) => Math.max(0, Math.ceil(ms));

/** A queue of either backend. */
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
  await queue.add(name, data, { jobId, delay, ...defined({ priority }) });
}

/** Adds first and then changes the delay, so that a job added concurrently is moved, too. */
async function addNow(
  queue: OpenQueue,
  name: QueueName,
  newJobs: readonly { readonly data: object; readonly jobId: string }[],
): Promise<void> {
  const [first] = newJobs;
  // With PostgreSQL, addBulk creates temporary tables, which costs more than a single add.
  if (first && newJobs.length === 1) await add(queue, name, first.data, first);
  else await queue.addBulk(newJobs.map(({ data, jobId }) => ({ name, data, opts: { jobId } })));
  // Changing the delay fails if the job is not delayed.
  await Promise.all(newJobs.map(({ jobId }) => queue.backend.changeDelay(jobId, 0).catch(() => undefined)));
}

async function openQueue(settings: QueueSettings, name: QueueName, log: Logger): Promise<OpenQueue> {
  const common = { defaultJobOptions: jobOptions } satisfies Partial<QueueOptions>;
  const queue = settings.redisUrl
    ? new Queue(name, { ...common, connection: boundedRedis(settings.redisUrl) }, createRedisBackend)
    : new Queue(name, { ...common, connection: postgresConnection(settings, 2) }, createPostgresBackend);
  queue.on('error', (error) => log.warn({ reason: reasonOf(error), queue: name }, 'queue error'));
  try {
    await inTime(queue.waitUntilReady(), 'connect');
    return queue;
  } catch (error) {
    void queue.close().catch(() => undefined);
    throw error;
  }
}

/** Makes the queue's own tables where it lives in PostgreSQL; a second call changes nothing. */
export async function prepareQueue({ databaseUrl, redisUrl }: QueueSettings): Promise<void> {
  if (redisUrl) return;
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: timeoutMs });
  // A server that goes away is reported by the query; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await runMigrations(client, schema);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** How to reach the queue in PostgreSQL; every wait is bounded. @param max connections besides the listening one */
export function postgresConnection({ databaseUrl }: QueueSettings, max: number) {
  return {
    connectionString: databaseUrl,
    schema,
    max,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: 10_000,
    keepAlive: true,
  };
}

const boundedRedis = (url: string) =>
  redisConnection(url, { maxRetriesPerRequest: 1, commandTimeout: 2_000 });

/**
 * Connection options of the queue in Redis. Commands have timeouts, because a frozen Redis accepts them without a response.
 */
export function redisConnection(
  url: string,
  options: { readonly maxRetriesPerRequest: number | null; readonly commandTimeout?: number },
) {
  return { url, connectTimeout: 2_000, ...options };
}

/** Errors of the drivers carry their whole connection with them: a log wants the sentence only. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @throws when `work` takes longer than a call may */
const inTime = <T>(work: Promise<T>, workName: string): Promise<T> =>
  within(timeoutMs, work, () => {
    throw new Error(`queue: ${workName} took longer than ${timeoutMs} ms`);
  });
