import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the server that scripts/testing/database.ts started for this run. */
    testServerUrl: string;
    /** Name of its migrated, empty database. */
    testTemplate: string;
  }
}

/**
 * Creates a migrated, empty database for this test file, dropped after its last test. Called at the top of a
 * `*.db.test.ts` file: `const databaseUrl = await createTestDatabase();`
 * @returns the connection string
 */
export async function createTestDatabase(): Promise<string> {
  const serverUrl = inject('testServerUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runOnServer(serverUrl, `create database ${name} template ${inject('testTemplate')}`);
  afterAll(() => runOnServer(serverUrl, `drop database if exists ${name} with (force)`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function runOnServer(serverUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
