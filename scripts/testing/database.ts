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
 * Setup of the vitest project `db`: starts one PostgreSQL in a temporary folder with a migrated template database, of
 * which every test file gets a copy (lib/infra/testing/test-database.ts). Also builds the media worker, because the
 * bundle starts twice as fast as the sources.
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
