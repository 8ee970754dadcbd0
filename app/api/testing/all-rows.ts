import { createHash } from 'node:crypto';
import type { Database } from '@/lib/infra/db';
import type { TestApi } from './test-api';

/** Tables whose rows may change during a rejected call: usage counters and migrations. */
const untrackedTables = ['_prisma_migrations', 'ApiKeyUsage'];

interface TrackedDatabase {
  readonly tables: readonly string[];
  changes?: bigint;
  hash?: string;
}

const trackedDatabases = new WeakMap<Database, TrackedDatabase>();

/**
 * A hash of every row of the product's tables: equal hashes mean equal rows. A trigger counts the statements that write, so
 * the rows are read again only after a write. Most callers check that a rejected call wrote nothing.
 */
export async function hashAllRows({ services: { db } }: TestApi): Promise<string> {
  const tracked = trackedDatabases.get(db) ?? (await trackChanges(db));
  trackedDatabases.set(db, tracked);
  // `last_value` is 1 before the first call of nextval() as well as after it; `is_called` tells them apart.
  const [row] = await db.$queryRaw<
    { changes: bigint }[]
  >`select "last_value" + "is_called"::int as "changes" from "row_changes"`;
  const changes = row?.changes ?? 0n;
  if (tracked.hash === undefined || tracked.changes !== changes) {
    tracked.hash = await hashTables(db, tracked.tables);
    tracked.changes = changes;
  }
  return tracked.hash;
}

async function trackChanges(db: Database): Promise<TrackedDatabase> {
  const tableRows = await db.$queryRaw<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const tables = tableRows.map(({ name }) => name).filter((name) => !untrackedTables.includes(name));
  await db.$executeRaw`create sequence "row_changes"`;
  await db.$executeRaw`
    create function "note_row_change"() returns trigger language plpgsql as
    $body$ begin perform nextval('row_changes'); return null; end $body$`;
  for (const name of tables) {
    await db.$executeRawUnsafe(
      `create trigger "note_row_change" after insert or update or delete or truncate on "${name}"
       for each statement execute function "note_row_change"()`,
    );
  }
  return { tables };
}

async function hashTables(db: Database, tables: readonly string[]): Promise<string> {
  const selects = tables.map(
    (name) =>
      `select '${name}' as name, md5(string_agg(row::text, '' order by row::text)) from "${name}" row`,
  );
  const rows = await db.$queryRawUnsafe(selects.join(' union all '));
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}
