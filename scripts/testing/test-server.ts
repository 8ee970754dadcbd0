import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../migrate';
import { openCluster } from '../postgres/cluster';
import { runSql, startPostgres } from '../postgres/server';

/** Environment variable with the URL of a running server, for all projects of one run. */
export const testServerVariable = 'TEST_SERVER_URL';

/** Name of the migrated, empty database that is copied for every test file. */
export const testTemplate = 'template_headwater';

export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL for tests in a new folder below `parent`. Its data does not survive a crash. */
export async function startTestServer(parent = tmpdir()): Promise<TestServer> {
  const folder = await mkdtemp(join(parent, 'headwater-test-'));
  const server = await startPostgres(await openCluster(folder, { durable: false }));
  await runSql(server.url('postgres'), `create database ${testTemplate}`);
  await migrate(server.url(testTemplate));
  return {
    url: server.url('postgres'),
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
