import type { MigrationList } from '@prisma/schema-engine-wasm';
import { Client } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { migrate, readMigrations, type Migration } from './migrate';
import { findSchemaDifference, withEngine } from './schema-difference';

const databaseUrl = await createTestDatabase();
const migrations = await readMigrations();
const names = migrations.map(({ name }) => name);

async function query<T extends object>(sql: string): Promise<T[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

const recordedNames = async () =>
  (
    await query<{ migration_name: string }>(
      'select migration_name from _prisma_migrations order by started_at, migration_name',
    )
  ).map((row) => row.migration_name);

describe('migrations', () => {
  it('match the schema (otherwise run npm run migration -- <name>)', async () => {
    expect(await findSchemaDifference(databaseUrl)).toBe('');
  });

  it('are applied once', async () => {
    expect(await migrate(databaseUrl)).toEqual([]);
  });

  it('are known to Prisma as applied', async () => {
    const migrationsList: MigrationList = {
      baseDir: '',
      lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
      shadowDbInitScript: '',
      migrationDirectories: migrations.map(({ name, sql }) => ({
        path: name,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
      })),
    };
    const filters = { externalTables: [], externalEnums: [] };
    await withEngine(databaseUrl, undefined, async (engine) => {
      const diagnosis = await engine.diagnoseMigrationHistory({
        migrationsList,
        filters,
        optInToShadowDatabase: false,
      });
      expect(diagnosis).toMatchObject({
        hasMigrationsTable: true,
        failedMigrationNames: [],
        editedMigrationNames: [],
        history: null,
      });
      expect(await engine.applyMigrations({ migrationsList, filters })).toEqual({
        appliedMigrationNames: [],
      });
    });
  });

  it('of a newer version are ignored', async () => {
    expect(await migrate(databaseUrl, migrations.slice(0, -1))).toEqual([]);
  });
});

describe('a database', () => {
  beforeEach(async () => {
    await query('drop schema public cascade');
    await query('create schema public');
  });

  const first: Migration = { name: '1_first', sql: 'create table a (id int); insert into a values (1);' };
  const second: Migration = {
    name: '2_second',
    sql: 'create table b (id int);\n\ninsert into nowhere values (1);',
  };

  it('is migrated once by processes that start at the same time', async () => {
    const results = await Promise.all([migrate(databaseUrl), migrate(databaseUrl), migrate(databaseUrl)]);
    expect(results.sort((a, b) => b.length - a.length)).toEqual([names, [], []]);
    expect(await recordedNames()).toEqual(names);
    expect(await findSchemaDifference(databaseUrl)).toBe('');
  });

  it('keeps the migrations before a failed migration, and continues when that is fixed', async () => {
    const failure = migrate(databaseUrl, [first, second]);
    await expect(failure).rejects.toMatchObject({
      expected: true,
      message:
        'Migration 2_second failed and was rolled back (line 3): relation "nowhere" does not exist [SQLSTATE 42P01]',
    });
    expect(await recordedNames()).toEqual(['1_first']);
    expect(await query("select from pg_tables where tablename = 'b'")).toEqual([]);
    const fixedMigration = { name: '2_second', sql: 'create table b (id int);' };
    expect(await migrate(databaseUrl, [first, fixedMigration])).toEqual(['2_second']);
    expect(await query('select id from a')).toEqual([{ id: 1 }]);
  });

  it('is rejected while a migration started by Prisma is unfinished', async () => {
    await migrate(databaseUrl, [first]);
    await query('update _prisma_migrations set finished_at = null, applied_steps_count = 0');
    await query('drop table a');
    await expect(migrate(databaseUrl, [first])).rejects.toMatchObject({
      expected: true,
      message: expect.stringMatching(/^Migration 1_first was started .* --rolled-back 1_first"/) as string,
    });
    await query('update _prisma_migrations set rolled_back_at = now() where finished_at is null');
    expect(await migrate(databaseUrl, [first])).toEqual(['1_first']);
  });

  it('with unknown tables is rejected', async () => {
    await query('create table a (id int)');
    await expect(migrate(databaseUrl, [first])).rejects.toThrow('Set DATABASE_URL to an empty database');
    expect(await query("select from pg_tables where tablename = '_prisma_migrations'")).toEqual([]);
  });
});
