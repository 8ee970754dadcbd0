import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import DataLoader from 'dataloader';
import { type Prisma, PrismaClient } from '@/lib/generated/prisma/client';

export type Database = PrismaClient;
/** A running transaction: the same models, without starting another one. */
export type Transaction = Prisma.TransactionClient;

// On globalThis: Next bundles this file more than once, and a client that one copy opened is read from by another.
const place = globalThis as typeof globalThis & { headwaterPools?: WeakMap<object, Pool> };
const pools = (place.headwaterPools ??= new WeakMap());

/** Every wait on PostgreSQL is bounded: a dead server gives an error, never a hang. */
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
  // A connection that dies while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined);
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  const db = new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 10_000 } });
  pools.set(db, pool);
  return db;
}

/** A statement in PostgreSQL's own words. */
export interface ReadQuery {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Planned once a connection; give it only to texts that never vary. */
  readonly name?: string;
}

/**
 * The rows of one statement without Prisma in between, on the same connections: for what almost every request reads, and
 * for what workers ask again and again, where Prisma takes longer than PostgreSQL. Values come as the driver gives them: bigint as text.
 * Not inside a transaction.
 */
export async function readRows<T>(db: Database | Transaction, query: ReadQuery): Promise<T[]> {
  const pool = pools.get(db);
  if (!pool) throw new Error('readRows reads outside transactions');
  const { rows } = await pool.query({ ...query, values: [...query.values] });
  return rows as T[];
}

/** One statement stays far below its time limit … */
const atOnce = 5_000;
/** … and one call ends, even if more is due: the next call continues. */
const most = 500_000;

/**
 * Deletes what is due in short statements, until one finds fewer rows than it may take.
 * @param deleteSome one statement for at most this many rows; resolves to how many it deleted
 * @returns how many rows
 */
export async function deleteInBatches(deleteSome: (limit: number) => PromiseLike<number>): Promise<number> {
  let total = 0;
  while (total < most) {
    const deleted = await deleteSome(atOnce);
    total += deleted;
    if (deleted < atOnce) break;
  }
  return total;
}

/** The values a row is found by, in the order of the statement's arrays. */
type Key = readonly unknown[];

/** `place` says which key a row was found by; PostgreSQL counts in bigint, which the driver gives as text. */
type Found<Row> = Row & { readonly place: string };

export interface GatheredQuery {
  readonly name: string;
  /** Takes one array for each value of a key, and gives `place`, from 1: `unnest(…) with ordinality`. */
  readonly text: string;
}

/** With this many statements running, further reads wait and share the next one. */
const mostRunning = 2;
const mostTogether = 64;

/**
 * Reads one row by its key. Under load, reads of many requests go to PostgreSQL as one statement: for the two reads of
 * almost every request, where the way there takes longer than the read. Nothing is kept: a statement begins after
 * whatever it answers was asked for. Not inside a transaction.
 */
export function gatheredRead<Row>(
  query: GatheredQuery,
): (db: Database | Transaction, ...key: Key) => Promise<Row | null> {
  const loaders = new WeakMap<object, DataLoader<Key, Row | null>>();
  return (db, ...key) => {
    let loader = loaders.get(db);
    if (!loader) loaders.set(db, (loader = loaderOf<Row>(db, query)));
    return loader.load(key);
  };
}

function loaderOf<Row>(db: Database | Transaction, query: GatheredQuery): DataLoader<Key, Row | null> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const begin = (dispatch: () => void) => {
    if (running >= mostRunning) {
      waiting.push(dispatch);
      return;
    }
    running += 1;
    // Behind everything that this turn of the event loop still brings.
    setImmediate(dispatch);
  };
  const end = () => {
    running -= 1;
    const next = waiting.shift();
    if (next) begin(next);
  };
  const read = (keys: readonly Key[]) => readByKeys<Row>(db, query, keys).finally(end);
  return new DataLoader(read, { cache: false, maxBatchSize: mostTogether, batchScheduleFn: begin });
}

async function readByKeys<Row>(
  db: Database | Transaction,
  query: GatheredQuery,
  keys: readonly Key[],
): Promise<(Row | null)[]> {
  const values = (keys[0] ?? []).map((_value, index) => keys.map((key) => key[index]));
  const rows: (Row | null)[] = keys.map(() => null);
  for (const row of await readRows<Found<Row>>(db, { ...query, values })) rows[Number(row.place) - 1] = row;
  return rows;
}
