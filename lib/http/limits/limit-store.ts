import { Redis } from 'ioredis';
import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { type Database, readRows, type ReadQuery } from '@/lib/infra/db';
import type { Settings } from '@/lib/infra/env';
import type { Logger } from '@/lib/infra/logger';
import { driverErrorMessage } from '@/lib/infra/driver-error';
import { redisConnectionOptions } from '@/lib/infra/queue/queue-connections';
import type { Secrets } from '@/lib/infra/secrets';

/** Counters shared by all processes of the service. */
export interface LimitStore {
  /** A counter that rejects immediately while the store is known to be down. */
  counter(options: CounterOptions): RateLimiterRedis | RateLimiterPostgres;
  /** Digest that replaces a key in the store, because the key may be an email address. */
  digest(key: string): string;
  close(): void;
}

interface CounterOptions {
  readonly points: number;
  /** Length of a window, in seconds. */
  readonly duration: number;
  /** Name of the limit. */
  readonly keyPrefix: string;
}

interface LimitStoreOptions {
  readonly settings: Pick<Settings, 'redisUrl'>;
  readonly db: Database;
  readonly secrets: Pick<Secrets, 'sign'>;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

/** Base64url characters of a digest: 132 of 256 bits. */
const DIGEST_LENGTH = 22;

/** Opens the store of the limits: Redis if it is configured, otherwise PostgreSQL. */
export function openLimitStore({ settings, db, secrets, log }: LimitStoreOptions): LimitStore {
  const digest = (key: string) =>
    secrets.sign('rate limits', key).toString('base64url').slice(0, DIGEST_LENGTH);
  const store = settings.redisUrl ? openRedisStore(settings.redisUrl, log) : openPostgresStore(db);
  return { ...store, digest };
}

function openRedisStore(url: string, log: LimitStoreOptions['log']): Omit<LimitStore, 'digest'> {
  const { url: serverUrl, ...connection } = redisConnectionOptions(url, { maxRetriesPerRequest: 0 });
  const redis = new Redis(serverUrl, {
    ...connection,
    // Commands to an unresponsive Redis fail after a second instead of waiting.
    socketTimeout: 1_000,
    autoResendUnfulfilledCommands: false,
  });
  let isDown = false;
  redis.on('error', (error: unknown) => {
    if (!isDown)
      log.warn(
        { reason: driverErrorMessage(error) },
        'Redis is down: each process counts rate limits separately',
      );
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) log.info({}, 'Redis is back: rate limits are shared again');
    isDown = false;
  });
  return {
    counter: ({ keyPrefix, ...options }) =>
      new RateLimiterRedis({
        ...options,
        keyPrefix: `limit:${keyPrefix}`,
        storeClient: redis,
        rejectIfRedisNotReady: true,
      }),
    close: () => redis.disconnect(),
  };
}

function openPostgresStore(db: Database): Omit<LimitStore, 'digest'> {
  const query = async (statement: ReadQuery) => {
    const rows = await readRows(db, statement);
    return { rows, rowCount: rows.length };
  };
  return {
    counter: (options) =>
      new RateLimiterPostgres({
        ...options,
        storeClient: { query },
        storeType: 'client',
        tableName: 'RateLimit',
        tableCreated: true,
        // A sweep deletes expired rows.
        clearExpiredByTimeout: false,
      }),
    close: () => undefined,
  };
}
