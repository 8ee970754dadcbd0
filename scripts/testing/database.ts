import type { TestProject } from 'vitest/node';
import '@/lib/infra/testing/test-database';
import { buildMediaWorker } from '../service/build';
import { startTestServer, testServerVariable, testTemplate } from './test-server';

/**
 * Setup of the vitest project `db`: starts one PostgreSQL in a temporary folder with a migrated template database,
 * which is copied for every test file (lib/infra/testing/test-database.ts). `npm test` starts it once for the whole
 * run. Also builds the media worker, because the bundle starts twice as fast as the sources.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  await buildMediaWorker(() => undefined, new AbortController().signal);
  const runningServerUrl = process.env[testServerVariable];
  const server = runningServerUrl ? null : await startTestServer();
  project.provide('testServerUrl', server?.url ?? runningServerUrl ?? '');
  project.provide('testTemplate', testTemplate);
  return server ? () => server.stop() : undefined;
}
