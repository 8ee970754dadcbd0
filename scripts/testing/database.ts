import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import '@/lib/infra/testing/test-database';
import { migrate } from '../migrate';
import { openCluster } from '../postgres/cluster';
import { runSql, startPostgres } from '../postgres/server';
import { buildMediaWorker } from '../service/build';

/**
 * Set-up of the vitest project `db`: one PostgreSQL in a temporary folder for the run, with a migrated
 * database that every test file gets its own copy of (lib/infra/testing/test-database.ts), and the media worker as a
 * program, which starts in half the time that its sources need.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildMediaWorker(() => undefined, new AbortController().signal);
  const folder = await mkdtemp(join(tmpdir(), 'headwater-test-'));
  const server = await startPostgres(await openCluster(folder, { durable: false }));
  await runSql(server.url('postgres'), 'create database template_headwater');
  await migrate(server.url('template_headwater'));
  project.provide('testServerUrl', server.url('postgres'));
  project.provide('testTemplate', 'template_headwater');
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
