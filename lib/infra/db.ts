import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient, type Prisma } from '@/lib/generated/prisma/client';

export type Database = PrismaClient;
/** A running transaction: the same models, without starting another one. */
export type Transaction = Prisma.TransactionClient;

/** Every wait on PostgreSQL is bounded: a dead server gives an error, never a hang. */
export function openDatabase(databaseUrl: string, { max = 10 }: { max?: number } = {}): Database {
  const adapter = new PrismaPg({
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 10_000,
    query_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 10_000 } });
}
