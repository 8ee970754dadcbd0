import { createHash } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type { DiffParams, MigrationList, SchemaEngine, SchemasContainer } from '@prisma/schema-engine-wasm';
import type * as schemaEngine from '@prisma/schema-engine-wasm';
import { Client, Pool, type PoolClient } from 'pg';

/**
 * Migrations through Prisma's own engine, compiled to WebAssembly: no download, the same files and the same
 * table as `prisma migrate deploy` (docs/adr/0008-migrations.md).
 */

const root = join(import.meta.dirname, '..');
const folder = join(root, 'prisma', 'migrations');
const filters = { externalTables: [], externalEnums: [] };

interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Brings the database up to date. Returns the names of the migrations that were applied now. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const migrations = await readMigrations();
  // Starting the engine costs half a second; a second start has nothing to apply.
  if (await isUpToDate(databaseUrl, migrations)) return [];
  return withEngine(databaseUrl, undefined, async (engine) => {
    const migrationsList = toList(migrations);
    for (const name of await interruptedMigrations(databaseUrl)) {
      // A script runs as one transaction: what was interrupted left nothing, so it is simply run again.
      await engine.markMigrationRolledBack({ migrationName: name, migrationsList } as {
        migrationName: string;
      });
    }
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters });
    return appliedMigrationNames;
  });
}

/**
 * The SQL that leads from what prisma/migrations gives to what prisma/schema.prisma says; empty when they
 * agree. `databaseUrl` is an empty database that is thrown away afterwards.
 */
export async function schemaDifference(databaseUrl: string): Promise<string> {
  await migrate(databaseUrl);
  const path = join(root, 'prisma', 'schema.prisma');
  const files = [{ path, content: await readFile(path, 'utf8') }];
  return withEngine(databaseUrl, { files }, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: root },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      shadowDatabaseUrl: null,
      filters,
    } as DiffParams);
    return exitCode === 0 ? '' : (stdout ?? '');
  });
}

async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names
      .sort()
      .map(async (name) => ({ name, sql: await readFile(join(folder, name, 'migration.sql'), 'utf8') })),
  );
}

function toList(migrations: readonly Migration[]): MigrationList {
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

interface AppliedRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
  rolled_back_at: Date | null;
}

async function appliedRows(databaseUrl: string): Promise<AppliedRow[]> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const table = await client.query("select from pg_tables where tablename = '_prisma_migrations'");
    if (!table.rowCount) return [];
    const { rows } = await client.query<AppliedRow>('select * from _prisma_migrations');
    return rows;
  } finally {
    await client.end();
  }
}

async function isUpToDate(databaseUrl: string, migrations: readonly Migration[]): Promise<boolean> {
  const rows = await appliedRows(databaseUrl);
  const done = rows.filter((row) => row.finished_at && !row.rolled_back_at);
  const checksums = new Map(done.map((row) => [row.migration_name, row.checksum]));
  return (
    migrations.length === checksums.size &&
    migrations.every(
      ({ name, sql }) => checksums.get(name) === createHash('sha256').update(sql).digest('hex'),
    )
  );
}

async function interruptedMigrations(databaseUrl: string): Promise<string[]> {
  const rows = await appliedRows(databaseUrl);
  return rows.filter((row) => !row.finished_at && !row.rolled_back_at).map((row) => row.migration_name);
}

async function withEngine<T>(
  databaseUrl: string,
  schema: SchemasContainer | undefined,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const { SchemaEngine: Engine } = await loadEngine();
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 4,
    connectionTimeoutMillis: 10_000,
    allowExitOnIdle: true,
  });
  pool.on('connect', announceCharAsUuid);
  const adapter = bindMigrationAwareSqlAdapterFactory(new CatalogAdapter(pool));
  const datamodels = schema?.files.map(({ path, content }): [string, string] => [path, content]);
  const engine = await Engine.new({ datamodels }, () => undefined, adapter);
  try {
    return await use(engine);
  } finally {
    engine.free();
    await pool.end();
  }
}

type EngineModule = typeof schemaEngine;
let engineModule: Promise<EngineModule> | undefined;

/** Loaded once: the glue holds its instance in a module variable, so a second one would break the first. */
function loadEngine(): Promise<EngineModule> {
  engineModule ??= instantiateEngine();
  return engineModule;
}

/** The package is written for bundlers that import .wasm files; Node needs it put together by hand. */
async function instantiateEngine(): Promise<EngineModule> {
  // Where the engine leaves the words of its last panic.
  let panic = '';
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      get: () => panic,
      set_message: (message: string) => {
        panic = message;
        console.error(`Prisma's schema engine: ${message}`);
      },
    },
  });
  const glue =
    (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as unknown as WebAssembly.ModuleImports &
      EngineModule & { __wbg_set_wasm: (exports: WebAssembly.Exports) => void };
  const file = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(file), {
    './schema_engine_bg.js': withoutLingering(glue),
  });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start: () => void }).__wbindgen_start();
  return glue;
}

/** The engine never clears the 10 s timer around its lock: it must not keep the process waiting for it. */
function withoutLingering(glue: WebAssembly.ModuleImports): WebAssembly.ModuleImports {
  const timer = (run: () => void, ms: number) => setTimeout(run, ms).unref();
  const names = Object.keys(glue).filter((name) => name.startsWith('__wbg_setTimeout'));
  return { ...glue, ...Object.fromEntries(names.map((name) => [name, timer])) };
}

interface RowDescription {
  readonly fields: { dataTypeID: number }[];
}

/**
 * PostgreSQL's catalog uses the internal type "char", which Prisma's adapter refuses although the engine
 * wants it. No column of the catalog is a UUID, so "char" travels as one and is put right behind the adapter.
 */
function announceCharAsUuid(client: PoolClient): void {
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.prependListener('rowDescription', ({ fields }: RowDescription) => {
    for (const field of fields) if (field.dataTypeID === 18) field.dataTypeID = 2950;
  });
}

/** Prisma's adapter, made fit for migrations and for reading the catalog. */
class CatalogAdapter extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    // The adapter's own splits at every semicolon and sends statement by statement; sent whole, a script is
    // one transaction and may define functions.
    adapter.executeScript = async (script) => {
      await adapter.underlyingDriver().query(script);
    };
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      const columnTypes = result.columnTypes.map((type) =>
        type === ColumnTypeEnum.Uuid ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    return adapter;
  }
}
