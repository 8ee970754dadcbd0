import {
  createPostgresBackend,
  createRedisBackend,
  Queue,
  runMigrations,
  type JobsOptions,
  type QueueOptions,
} from 'bullmq';
import { Client } from 'pg';
import { jobs, type JobData, type JobName } from '@/lib/contract/jobs';
import type { Settings } from './env';
import type { Logger } from './logger';

/** Jobs live in PostgreSQL beside the rows they speak of, or in Redis when REDIS_URL is set (ADR 9). */

export const queueName = 'jobs';
const schema = 'queue';
/** Nobody who enqueues waits longer than this, whatever state the server is in. */
const timeoutMs = 5_000;

type QueueSettings = Pick<Settings, 'databaseUrl' | 'redisUrl'>;

export interface EnqueueOptions {
  /** Not before so long from now, in milliseconds. */
  readonly delayMs?: number;
  /** While a job of this id waits, another one is not added. Not only digits, no colon. */
  readonly jobId?: string;
}

export interface JobQueue {
  /** Call it after the commit. @throws when the queue cannot be reached in time: the sweep finds the row. */
  enqueue<N extends JobName>(name: N, data: JobData<N>, options?: EnqueueOptions): Promise<void>;
  /** Does the queue answer? Never throws. */
  health(): Promise<boolean>;
  close(): Promise<void>;
}

/** A finished nudge is worth nothing; a failed one is kept for a day to be looked at. */
export const jobOptions = {
  attempts: 5,
  backoff: { type: 'exponential', delay: 500 },
  removeOnComplete: true,
  removeOnFail: { age: 86_400, count: 1_000 },
} satisfies JobsOptions;

/** Opens the queue for adding jobs; it connects on first use and again after every failure. */
export function openQueue(settings: QueueSettings, log: Logger): JobQueue {
  let opening: Promise<ProducerQueue> | null = null;

  const opened = () => {
    const attempt = (opening ??= openProducer(settings, log));
    attempt.catch(() => {
      if (opening === attempt) opening = null;
    });
    return attempt;
  };

  return {
    async enqueue(name, data, { delayMs, jobId } = {}) {
      const checked = jobs[name].parse(data);
      const work = opened().then((queue) =>
        queue.add(name, checked, {
          ...(delayMs === undefined ? {} : { delay: delayMs }),
          ...(jobId === undefined ? {} : { jobId }),
        }),
      );
      await inTime(work, `enqueue ${name}`);
    },
    async health() {
      try {
        await inTime(
          opened().then((queue) => queue.getJobCountByTypes('active')),
          'health',
        );
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      const queue = await opening?.catch(() => null);
      opening = null;
      if (queue) await inTime(queue.close(), 'close').catch(() => undefined);
    },
  };
}

type ProducerQueue = Pick<Queue, 'add' | 'close' | 'getJobCountByTypes'>;

async function openProducer(settings: QueueSettings, log: Logger): Promise<ProducerQueue> {
  const queue = await createProducer(settings);
  queue.on('error', (error) => log.warn({ reason: reasonOf(error) }, 'queue interrupted'));
  try {
    await inTime(queue.waitUntilReady(), 'connect');
    return queue;
  } catch (error) {
    void queue.close().catch(() => undefined);
    throw error;
  }
}

async function createProducer(settings: QueueSettings) {
  const common = { defaultJobOptions: jobOptions } satisfies Partial<QueueOptions>;
  if (settings.redisUrl) {
    const connection = redisConnection(settings.redisUrl, { maxRetriesPerRequest: 1, commandTimeout: 2_000 });
    return new Queue(queueName, { ...common, connection }, createRedisBackend);
  }
  await prepareQueue(settings);
  return new Queue(
    queueName,
    { ...common, connection: postgresConnection(settings, 2) },
    createPostgresBackend,
  );
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

/** How to reach the queue in Redis. A frozen Redis accepts commands and never answers: hence the timeouts. */
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

/** @throws when `work` takes longer than the patience of whoever enqueues */
async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`queue: ${what} took longer than ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
