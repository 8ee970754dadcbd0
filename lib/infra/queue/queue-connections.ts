import type { Settings } from '@/lib/infra/env';

/** Schema of the tables of the queue in PostgreSQL. */
export const queueSchema = 'queue';
/** Timeout of each call to the queue, whatever the state of its server. */
export const QUEUE_TIMEOUT_MS = 5_000;
export type QueueSettings = Pick<Settings, 'databaseUrl' | 'redisUrl'>;

/**
 * Connection options of the queue in PostgreSQL, with a timeout for every wait.
 * @param max number of connections besides the one that listens for notifications
 */
export function postgresConnectionOptions({ databaseUrl }: QueueSettings, max: number) {
  return {
    connectionString: databaseUrl,
    schema: queueSchema,
    max,
    connectionTimeoutMillis: QUEUE_TIMEOUT_MS,
    query_timeout: 10_000,
    keepAlive: true,
  };
}

/** Connection options for a process that adds jobs: a call fails after one try, and after 2 s without a response. */
export const boundedRedisOptions = (url: string) =>
  redisConnectionOptions(url, { maxRetriesPerRequest: 1, commandTimeout: 2_000 });

/** Connection options of the queue in Redis. Commands have timeouts, because a frozen Redis accepts them without a response. */
export function redisConnectionOptions(
  url: string,
  options: { readonly maxRetriesPerRequest: number | null; readonly commandTimeout?: number },
) {
  return { url, connectTimeout: 2_000, ...options };
}
