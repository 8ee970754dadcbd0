import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { PrismaClient, type Prisma } from '@/lib/generated/prisma/client';

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
