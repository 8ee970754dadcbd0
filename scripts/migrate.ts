import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, DatabaseError } from 'pg';
import { ExpectedError } from './service/expected-error';

/**
 * Applies prisma/migrations with the same table, checksums and lock as `prisma migrate deploy`, so that both can be used
 * on the same database (docs/adr/0008-migrations.md).
 */

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The id of the advisory lock of `prisma migrate deploy`. */
const LOCK_ID = 72_707_369;
/** Timeout for another process that is migrating. */
const lockTimeout = '5min';

const createTable = `create table if not exists _prisma_migrations (
  id varchar(36) primary key not null,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`;

/** The migrations of this version, oldest first. */
export async function readMigrations(): Promise<Migration[]> {
  const folder = join(import.meta.dirname, '..', 'prisma', 'migrations');
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names
      .sort()
      .map(async (name) => ({ name, sql: await readFile(join(folder, name, 'migration.sql'), 'utf8') })),
  );
}

/**
 * Applies the missing migrations. Ignores migrations of a newer version in the database.
 * @returns the names of the migrations that this call applied
 * @throws ExpectedError if a migration fails or is unfinished, if the database has tables of another application, or if
 * another process migrates it for too long
 */
export async function migrate(databaseUrl: string, migrations?: readonly Migration[]): Promise<string[]> {
  const allMigrations = migrations ?? (await readMigrations());
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  // A lost connection rejects the running query. Without this listener it would also end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await lockMigrations(client);
    const appliedNames = await readAppliedMigrations(client);
    const pendingMigrations = allMigrations.filter(({ name }) => !appliedNames.has(name));
    for (const migration of pendingMigrations) await applyMigration(client, migration);
    return pendingMigrations.map(({ name }) => name);
  } finally {
    // Closing the connection releases the lock.
    await client.end();
  }
}

/**
 * Locks migrations until the connection ends.
 * @throws ExpectedError if another process holds the lock too long
 */
export async function lockMigrations(client: Client): Promise<void> {
  try {
    await client.query(`set lock_timeout = '${lockTimeout}'`);
    await client.query('select pg_advisory_lock($1)', [LOCK_ID]);
    await client.query('reset lock_timeout');
  } catch (error) {
    // 55P03 is `lock_not_available`.
    if (!(error instanceof DatabaseError) || error.code !== '55P03') throw error;
    throw new ExpectedError(
      `Another process has been migrating this database for ${lockTimeout}. Start again when it has finished.`,
    );
  }
}

async function readAppliedMigrations(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ isNew: boolean; isUsed: boolean }>(
    `select to_regclass('_prisma_migrations') is null as "isNew",
      exists (select from pg_tables where schemaname = current_schema()) as "isUsed"`,
  );
  if (rows[0]?.isNew && rows[0].isUsed) {
    throw new ExpectedError(
      'The database has tables, but no migrations were applied to it. Set DATABASE_URL to an empty database.',
    );
  }
  await client.query(createTable);
  return new Set((await readMigrationHistory(client)).map(({ name }) => name));
}

/**
 * The migrations that created the tables of a database, oldest first, with the SHA-256 hashes of their SQL.
 * @throws ExpectedError if a migration is unfinished, because the tables may then have only a part of its changes
 */
export async function readMigrationHistory(
  client: Client,
): Promise<{ readonly name: string; readonly checksum: string }[]> {
  const { rows } = await client.query<{ name: string; checksum: string; finishedAt: Date | null }>(
    `select migration_name as "name", checksum, finished_at as "finishedAt" from _prisma_migrations
      where rolled_back_at is null order by migration_name`,
  );
  const unfinished = rows.find(({ finishedAt }) => !finishedAt);
  if (unfinished) throw new ExpectedError(unfinishedMessage(unfinished.name));
  return rows.map(({ name, checksum }) => ({ name, checksum }));
}

/** Applies a migration. Its script and its row are written in one transaction, so a killed process leaves both or neither. */
async function applyMigration(client: Client, { name, sql }: Migration): Promise<void> {
  const checksum = createHash('sha256').update(sql).digest('hex');
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
        values (gen_random_uuid(), $1, $2, clock_timestamp(), 1)`,
      [checksum, name],
    );
    await client.query('commit');
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    // The caller closes the connection, which rolls back.
    throw new ExpectedError(`Migration ${name} failed and was rolled back${errorDetails(error, sql)}`, {
      cause: error,
    });
  }
}

function errorDetails({ message, code, detail, position }: DatabaseError, sql: string): string {
  const line = position ? ` (line ${sql.slice(0, Number(position)).split('\n').length})` : '';
  return `${line}: ${message} [SQLSTATE ${code ?? 'unknown'}]${detail ? `. ${detail}` : ''}`;
}

/**
 * Error message for an unfinished migration. It may be applied in part, because Prisma runs migrations without a
 * transaction.
 */
function unfinishedMessage(name: string): string {
  return `Migration ${name} was started before and did not finish. Undo its changes, mark it as \
rolled back with "npx prisma migrate resolve --rolled-back ${name}", or with the SQL "update _prisma_migrations set \
rolled_back_at = now() where migration_name = '${name}' and finished_at is null", and try again.`;
}
