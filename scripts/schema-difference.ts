import type { EventEmitter } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type { DiffParams, SchemaEngine, SchemasContainer } from '@prisma/schema-engine-wasm';
import type * as schemaEngine from '@prisma/schema-engine-wasm';
import { Pool, type PoolClient } from 'pg';
import { migrate } from './migrate';

/**
 * Compares migrations and schema with Prisma's schema engine. The WebAssembly build is used because it needs no download
 * (docs/adr/0008-migrations.md).
 */

const root = join(import.meta.dirname, '..');
const filters = { externalTables: [], externalEnums: [] };

/**
 * SQL that changes the result of prisma/migrations to prisma/schema.prisma; empty if they match.
 * @param databaseUrl an empty database, to which the migrations are applied
 */
export async function findSchemaDifference(databaseUrl: string): Promise<string> {
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

/** Runs `use` with Prisma's schema engine on this database. */
export async function withEngine<T>(
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

/** Loads the engine once, because its glue code keeps the instance in a module variable. */
function loadEngine(): Promise<EngineModule> {
  engineModule ??= instantiateEngine();
  return engineModule;
}

/** The package expects a bundler that imports .wasm files, so the module is instantiated here. */
async function instantiateEngine(): Promise<EngineModule> {
  // The engine stores the message of its last panic here.
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
    './schema_engine_bg.js': glue,
  });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start: () => void }).__wbindgen_start();
  return glue;
}

/** Ids of the types "char" and uuid in pg_type. */
const CHAR_OID = 18;
const UUID_OID = 2950;

/** The part of node-postgres's message about the columns of a result that is changed here. */
interface RowDescription {
  readonly fields: { dataTypeID: number }[];
}

/**
 * PostgreSQL's catalog uses the internal type "char", which the engine needs but Prisma's adapter rejects. No column of
 * the catalog is a UUID, so "char" is passed through the adapter as UUID and converted back.
 */
function announceCharAsUuid(client: PoolClient): void {
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.prependListener('rowDescription', ({ fields }: RowDescription) => {
    for (const field of fields) if (field.dataTypeID === CHAR_OID) field.dataTypeID = UUID_OID;
  });
}

/** Prisma's adapter with support for the type "char". */
class CatalogAdapter extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
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
