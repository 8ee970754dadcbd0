import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { migrate, schemaDifference } from './migrate';

const databaseUrl = await testDatabase();

async function query(sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('migrations', () => {
  it('give what the schema says (else: npm run migration -- <name>)', async () => {
    expect(await schemaDifference(databaseUrl)).toBe('');
  });

  it('are applied once', async () => {
    expect(await migrate(databaseUrl)).toEqual([]);
  });

  it('run again after a start that was killed in the middle', async () => {
    await query('drop schema public cascade');
    await query('create schema public');
    const all = await migrate(databaseUrl);
    await query('drop schema public cascade');
    await query('create schema public');
    await migrate(databaseUrl);
    const tables = (await query(
      "select tablename from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations'",
    )) as { tablename: string }[];
    for (const { tablename } of tables) await query(`drop table "${tablename}" cascade`);
    await query('update _prisma_migrations set finished_at = null, applied_steps_count = 0');
    expect(await migrate(databaseUrl)).toEqual(all);
    expect(await schemaDifference(databaseUrl)).toBe('');
  });
});
