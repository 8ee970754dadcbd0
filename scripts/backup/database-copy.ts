import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { sortTablesByReferences, type TableReference } from '@/lib/core/table-order';
import { writeDurably } from '@/lib/infra/storage/write-durably';
import { backupPaths, type TableCopy } from './manifest';

/**
 * Rows of all tables, in the text format of COPY. The embedded PostgreSQL comes without pg_dump, and migrations
 * create the tables.
 */

/** Tables that describe running machines: a restored installation starts without their rows. */
const machineTables = ['Node', 'Installation'];

const quoteIdentifier = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const columnList = ({ columns }: Pick<TableCopy, 'columns'>): string =>
  columns.map(quoteIdentifier).join(', ');

export interface CopiedTable extends TableCopy {
  readonly sha256: string;
}

/** Copies the rows of all tables into `folder`/database. Must be called in a REPEATABLE READ transaction. */
export async function dumpTables(
  client: Client,
  folder: string,
  signal: AbortSignal,
): Promise<CopiedTable[]> {
  const copiedTables: CopiedTable[] = [];
  for (const table of await listTables(client)) {
    signal.throwIfAborted();
    const rows = client.query(copyTo(`copy ${quoteIdentifier(table.name)} (${columnList(table)}) to stdout`));
    const hash = createHash('sha256');
    const hashedRows = Readable.from(hashedChunks(rows, hash), { objectMode: false });
    await writeDurably(join(folder, backupPaths.table(table.name)), hashedRows, signal);
    copiedTables.push({ ...table, rows: rows.rowCount, sha256: hash.digest('hex') });
  }
  return copiedTables;
}

async function* hashedChunks(source: Readable, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
}

/**
 * Tables that are backed up, in the order in which they can be filled. Counters of rate limits are left out: their
 * table is unlogged, and a crash empties it anyway.
 */
async function listTables(client: Client): Promise<Omit<TableCopy, 'rows'>[]> {
  const { rows: columns } = await client.query<{ table: string; column: string }>(
    `select c.relname as "table", a.attname as "column"
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::text::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
        and c.relname <> '_prisma_migrations' and c.relname <> all ($1::text[])
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        -- A reference to a machine.
        and not exists (select from pg_constraint f where f.contype = 'f' and f.conrelid = c.oid
          and a.attnum = any (f.conkey) and (select relname from pg_class where oid = f.confrelid) = any ($1::text[]))
      order by c.relname, a.attnum`,
    [machineTables],
  );
  const { rows: references } = await client.query<TableReference>(
    `select t.relname as "table", r.relname as "referencedTable" from pg_constraint f
      join pg_class t on t.oid = f.conrelid join pg_class r on r.oid = f.confrelid
      where f.contype = 'f' and t.relnamespace = current_schema()::text::regnamespace`,
  );
  const names = [...new Set(columns.map(({ table }) => table))];
  return sortTablesByReferences(names, references).map((name) => ({
    name,
    columns: columns.filter(({ table }) => table === name).map(({ column }) => column),
  }));
}

/** Drops all tables and types that the service created in this database, and the queue. */
export async function dropTables(client: Client): Promise<void> {
  await client.query(`do $$ declare one text; begin
    drop schema if exists queue cascade;
    for one in select format('%I', relname) from pg_class
      where relnamespace = current_schema()::text::regnamespace and relkind in ('r', 'p') loop
      execute 'drop table if exists ' || one || ' cascade';
    end loop;
    for one in select format('%I', typname) from pg_type
      where typnamespace = current_schema()::text::regnamespace and typtype = 'e' loop
      execute 'drop type ' || one;
    end loop;
  end $$`);
}

/**
 * Replaces the rows of the tables with those in `folder`/database, in one transaction.
 * @throws Error if a table gets another number of rows than the backup has
 */
export async function loadTables(
  client: Client,
  folder: string,
  tables: readonly TableCopy[],
): Promise<void> {
  await client.query('begin');
  await client.query(`truncate ${tables.map(({ name }) => quoteIdentifier(name)).join(', ')}`);
  for (const table of tables) {
    const copyStream = client.query(
      copyFrom(`copy ${quoteIdentifier(table.name)} (${columnList(table)}) from stdin`),
    );
    await pipeline(createReadStream(join(folder, backupPaths.table(table.name))), copyStream);
    if (copyStream.rowCount !== table.rows) {
      throw new Error(`${table.name} has ${copyStream.rowCount} rows of ${table.rows}`);
    }
  }
  await adjustToDatabase(client);
  await client.query('commit');
  await client.query('analyze');
}

/**
 * Events are read in the order of the transactions that wrote them (lib/domain/webhooks/read-events.ts). A new database counts
 * from the beginning, so older events must come before its first one. Bytes of unfinished uploads are in no backup, so
 * any machine may receive them again.
 */
async function adjustToDatabase(client: Client): Promise<void> {
  await client.query(
    `update "Event" set "txid" = "txid" - (select max("txid") + 1 from "Event")
      where (select max("txid") from "Event") >= pg_current_xact_id()::text::bigint`,
  );
  await client.query('update "Asset" set "uploadMachineId" = null where "uploadMachineId" is not null');
}
