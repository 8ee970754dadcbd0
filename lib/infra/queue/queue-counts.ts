import { MINUTE_MS } from '@/lib/core/units';
import { Client } from 'pg';
import type { QueueName } from '@/lib/contract/jobs';
import type { Settings } from '@/lib/infra/env';

/** Minutes of completed jobs that are counted. */
export const COUNTED_MINUTES = 60;

/** Job counts of a queue, cheap enough to poll every few seconds. */
export interface QueueBacklog {
  readonly name: QueueName;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  /** Age of the oldest job that could run now, in milliseconds; 0 without one. */
  readonly oldestMs: number;
}

/** Backlog of a queue, and the number of jobs completed in the last hour. */
export interface QueueCounts extends QueueBacklog {
  readonly completed: number;
}

/** A job of BullMQ. */
interface CountedJob {
  /** When the job was added, in Unix milliseconds. */
  readonly timestamp: number;
  /** Milliseconds after `timestamp` before which the job does not run. */
  readonly delay: number;
}

/** The part of a BullMQ queue that counting needs. */
export interface CountedQueue {
  readonly getJobCounts: (
    ...states: ('waiting' | 'prioritized' | 'active' | 'delayed' | 'failed')[]
  ) => Promise<{
    [state: string]: number;
  }>;
  readonly getWaiting: (start: number, end: number) => Promise<CountedJob[]>;
  readonly getPrioritized: (start: number, end: number) => Promise<CountedJob[]>;
  readonly getMetrics: (kind: 'completed', start: number, end: number) => Promise<Metrics>;
}

/**
 * Job metrics of BullMQ: `count` jobs in total, `prevCount` at the last full minute `prevTS` (Unix milliseconds), and in
 * `data` the jobs of each full minute, newest first.
 */
interface Metrics {
  readonly meta: { readonly count: number; readonly prevTS: number; readonly prevCount: number };
  readonly data: readonly (number | string)[];
}

export async function readBacklog(
  name: QueueName,
  queue: Omit<CountedQueue, 'getMetrics'>,
): Promise<QueueBacklog> {
  const states = ['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const;
  const {
    waiting = 0,
    prioritized = 0,
    active = 0,
    delayed = 0,
    failed = 0,
  } = await queue.getJobCounts(...states);
  const oldestJobs = [...(await queue.getWaiting(0, 0)), ...(await queue.getPrioritized(0, 0))];
  const now = Date.now();
  return {
    name,
    waiting: waiting + prioritized,
    active,
    delayed,
    failed,
    oldestMs: Math.max(0, ...oldestJobs.map(({ timestamp, delay }) => now - timestamp - delay)),
  };
}

export async function readCounts(
  name: QueueName,
  queue: CountedQueue,
  settings: Pick<Settings, 'databaseUrl' | 'redisUrl'>,
): Promise<QueueCounts> {
  const metrics = settings.redisUrl
    ? await queue.getMetrics('completed', 0, COUNTED_MINUTES - 1)
    : await readMetricsInPostgres(settings.databaseUrl, name);
  return { ...(await readBacklog(name, queue)), completed: completedInLastHour(metrics, Date.now()) };
}

/** Number of jobs completed in the last hour. A queue without jobs writes no metrics, so missing minutes count as 0. */
function completedInLastHour({ meta, data }: Metrics, now: number): number {
  const idleMinutes = Math.floor(now / MINUTE_MS) - Math.floor(meta.prevTS / MINUTE_MS);
  if (idleMinutes >= COUNTED_MINUTES) return 0;
  const jobsPerMinute = data.slice(0, COUNTED_MINUTES - idleMinutes);
  return jobsPerMinute.reduce<number>((sum, minute) => sum + Number(minute), meta.count - meta.prevCount);
}

/** Reads the columns of BullMQ 6.7 directly, because its API returns only the first. */
async function readMetricsInPostgres(databaseUrl: string, name: QueueName): Promise<Metrics> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{
      count: string;
      prev_ts: string | null;
      prev_count: string;
      data: string[];
    }>(`select count, prev_ts, prev_count, data from queue.metrics where queue = $1 and kind = 'completed'`, [
      name,
    ]);
    const [row] = rows;
    return {
      meta: {
        count: Number(row?.count ?? 0),
        prevTS: Number(row?.prev_ts ?? 0),
        prevCount: Number(row?.prev_count ?? 0),
      },
      data: row?.data ?? [],
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}
