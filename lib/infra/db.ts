import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import DataLoader from 'dataloader';
import { type Prisma, PrismaClient } from '@/lib/generated/prisma/client';

export type Database = PrismaClient;
/** The client of a running transaction. It has the same models, but cannot start another transaction. */
export type Transaction = Prisma.TransactionClient;

// Stored on globalThis, because Next bundles this file more than once and the copies share clients.
const globals = globalThis as typeof globalThis & {
  headwaterPools?: WeakMap<object, Pool>;
  headwaterOpenPools?: Set<Pool>;
};
const pools = (globals.headwaterPools ??= new WeakMap());
const openPools = (globals.headwaterOpenPools ??= new Set());

/**
 * Current time of the database, because clocks of processes may jump and differ between machines. Inside a transaction, the
 * time at which the transaction started.
 */
export async function readDatabaseTime(db: Pick<Transaction, '$queryRaw'>): Promise<Date> {
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
  for (const openPool of openPools) if (openPool.ending) openPools.delete(openPool);
  openPools.add(pool);
  return db;
}

/** Connections and waiting requests of all open pools of this process. */
export function readPoolUse() {
  const totals = { inUse: 0, idle: 0, waiting: 0, max: 0 };
  for (const { ending, totalCount, idleCount, waitingCount, options } of openPools) {
    if (ending) continue;
    totals.inUse += totalCount - idleCount;
    totals.idle += idleCount;
    totals.waiting += waitingCount;
    totals.max += options.max;
  }
  return totals;
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

/** Maximum rows of one statement, so that it ends long before its timeout. */
const MAX_ROWS_PER_STATEMENT = 5_000;
/** Maximum rows of one call. The remaining rows are left for the next call. */
const MAX_ROWS_PER_CALL = 500_000;

/**
 * Deletes rows in short statements, until one deletes fewer rows than its limit, or the limit of the call is reached.
 * @param deleteBatch deletes at most `limit` rows, and resolves to the number of deleted rows
 * @returns the number of deleted rows
 */
export async function deleteInBatches(deleteBatch: (limit: number) => PromiseLike<number>): Promise<number> {
  let total = 0;
  while (total < MAX_ROWS_PER_CALL) {
    const deletedCount = await deleteBatch(MAX_ROWS_PER_STATEMENT);
    total += deletedCount;
    if (deletedCount < MAX_ROWS_PER_STATEMENT) break;
  }
  return total;
}

/** Values of the key columns of a row, in the order of the query's array parameters. */
type Key = readonly unknown[];

/** A row, and in `keyIndex` the index of its key, from 1; as text, because the driver returns a bigint as text. */
type KeyedRow<Row> = Row & { readonly keyIndex: string };

export interface BatchedQuery {
  readonly name: string;
  /** SQL text with one array parameter per key column. It returns the column `keyIndex` by `unnest(…) with ordinality`. */
  readonly text: string;
}

/** Maximum running statements of one query and client. Further reads wait for one of them to end, and are then combined. */
const MAX_RUNNING_STATEMENTS = 2;
const MAX_BATCH_SIZE = 64;

/**
 * Reads one row by its key, for the two reads of almost every request, where the round trip takes longer than the read.
 * Under load, the reads of many requests are combined into one statement. Nothing is cached: a statement starts after all
 * reads that it answers were requested. Must not be used inside a transaction.
 */
export function createBatchedRead<Row>(
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
  const waitingDispatches: (() => void)[] = [];
  let runningCount = 0;
  const schedule = (dispatch: () => void) => {
    if (runningCount >= MAX_RUNNING_STATEMENTS) {
      waitingDispatches.push(dispatch);
      return;
    }
    runningCount += 1;
    // `setImmediate` runs after all reads that this turn of the event loop requests.
    setImmediate(dispatch);
  };
  const finish = () => {
    runningCount -= 1;
    const nextDispatch = waitingDispatches.shift();
    if (nextDispatch) schedule(nextDispatch);
  };
  const readBatch = (keys: readonly Key[]) => readByKeys<Row>(db, query, keys).finally(finish);
  return new DataLoader(readBatch, { cache: false, maxBatchSize: MAX_BATCH_SIZE, batchScheduleFn: schedule });
}

async function readByKeys<Row>(
  db: Database | Transaction,
  query: BatchedQuery,
  keys: readonly Key[],
): Promise<(Row | null)[]> {
  const values = (keys[0] ?? []).map((_value, index) => keys.map((key) => key[index]));
  const rows: (Row | null)[] = keys.map(() => null);
  for (const row of await readRows<KeyedRow<Row>>(db, { ...query, values }))
    rows[Number(row.keyIndex) - 1] = row;
  return rows;
}
