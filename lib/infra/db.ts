import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import DataLoader from 'dataloader';
import { type Prisma, PrismaClient } from '@/lib/generated/prisma/client';

export type Database = PrismaClient;
/** A running transaction: the same models, without starting another one. */
export type Transaction = Prisma.TransactionClient;

// Stored on globalThis, because Next bundles this file more than once and the copies share clients.
const globals = globalThis as typeof globalThis & {
  headwaterPools?: WeakMap<object, Pool>;
  headwaterOpenPools?: Set<Pool>;
};
const pools = (globals.headwaterPools ??= new WeakMap());
const openPools = (globals.headwaterOpenPools ??= new Set());

/** Current time of the database, because clocks of processes may jump and differ between machines. */
export async function databaseNow(db: Pick<Transaction, '$queryRaw'>): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`select now() as now`;
  if (!row) throw new Error('The database returned no time');
  return row.now;
}

/** Opens a connection pool. Every wait is bounded, so that an unresponsive server causes an error. */
export function openDatabase(databaseUrl: string, { max = 10 }: { max?: number } = {}): Database {
  const pool = new Pool({
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 10_000,
    query_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // An idle connection that fails is replaced by the next query; an error without a listener would end the process.
  pool.on('error', () => undefined);
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  const db = new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 10_000 } });
  pools.set(db, pool);
  for (const open of openPools) if (open.ending) openPools.delete(open);
  openPools.add(pool);
  return db;
}

/** Connections and waiting requests of all open pools of this process. */
export function poolUse() {
  const use = { inUse: 0, idle: 0, waiting: 0, max: 0 };
  for (const { ending, totalCount, idleCount, waitingCount, options } of openPools) {
    if (ending) continue;
    use.inUse += totalCount - idleCount;
    use.idle += idleCount;
    use.waiting += waitingCount;
    use.max += options.max;
  }
  return use;
}

/** A SQL statement with its parameters. */
export interface ReadQuery {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Name of a prepared statement; only for constant texts. */
  readonly name?: string;
}

/**
 * Runs one statement without Prisma, on the same connections: for frequent reads, where Prisma takes longer than
 * PostgreSQL. Values have the types of the driver: bigint is text. Must not be used inside a transaction.
 */
export async function readRows<T>(db: Database | Transaction, query: ReadQuery): Promise<T[]> {
  const pool = pools.get(db);
  if (!pool) throw new Error('readRows must not be used inside a transaction');
  const { rows } = await pool.query({ ...query, values: [...query.values] });
  return rows as T[];
}

/** Limits one statement to far less than its timeout. */
const batchSize = 5_000;
/** Limit of one call; the next call continues. */
const maxRowsPerCall = 500_000;

/**
 * Deletes due rows in short statements, until one deletes fewer rows than its limit.
 * @param deleteSome deletes at most this many rows and resolves to the number
 * @returns the number of rows
 */
export async function deleteInBatches(deleteSome: (limit: number) => PromiseLike<number>): Promise<number> {
  let total = 0;
  while (total < maxRowsPerCall) {
    const deletedCount = await deleteSome(batchSize);
    total += deletedCount;
    if (deletedCount < batchSize) break;
  }
  return total;
}

/** The key of a row, in the order of the parameter arrays. */
type Key = readonly unknown[];

/** `place` is the index of the key, from 1, as text, because the driver returns a bigint as text. */
type KeyedRow<Row> = Row & { readonly place: string };

export interface BatchedQuery {
  readonly name: string;
  /** SQL text with one array parameter per key column. It returns `place`, from 1, by `unnest(…) with ordinality`. */
  readonly text: string;
}

/** Number of running statements above which further reads are batched. */
const maxRunning = 2;
const maxBatchSize = 64;

/**
 * Reads one row by its key, for the two reads of almost every request, where the round trip takes longer than the read.
 * Under load, the reads of many requests are combined into one statement. Nothing is cached: a statement starts after all
 * reads that it answers were requested. Must not be used inside a transaction.
 */
export function batchedRead<Row>(
  query: BatchedQuery,
): (db: Database | Transaction, ...key: Key) => Promise<Row | null> {
  const loaders = new WeakMap<object, DataLoader<Key, Row | null>>();
  return (db, ...key) => {
    let loader = loaders.get(db);
    if (!loader) loaders.set(db, (loader = createLoader<Row>(db, query)));
    return loader.load(key);
  };
}

function createLoader<Row>(db: Database | Transaction, query: BatchedQuery): DataLoader<Key, Row | null> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const schedule = (dispatch: () => void) => {
    if (running >= maxRunning) {
      waiting.push(dispatch);
      return;
    }
    running += 1;
    // `setImmediate` runs after all reads that this turn of the event loop requests.
    setImmediate(dispatch);
  };
  const end = () => {
    running -= 1;
    const next = waiting.shift();
    if (next) schedule(next);
  };
  const readRows = (keys: readonly Key[]) => readByKeys<Row>(db, query, keys).finally(end);
  return new DataLoader(readRows, { cache: false, maxBatchSize, batchScheduleFn: schedule });
}

async function readByKeys<Row>(
  db: Database | Transaction,
  query: BatchedQuery,
  keys: readonly Key[],
): Promise<(Row | null)[]> {
  const values = (keys[0] ?? []).map((_value, index) => keys.map((key) => key[index]));
  const rows: (Row | null)[] = keys.map(() => null);
  for (const row of await readRows<KeyedRow<Row>>(db, { ...query, values }))
    rows[Number(row.place) - 1] = row;
  return rows;
}
