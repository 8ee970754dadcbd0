import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EndToEnd } from './end-to-end';

/** Starts the service, runs the API tests against it, and stops it; test:nodes runs this on each version of Node. */

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
const folder = await mkdtemp(join(tmpdir(), 'headwater-'));
try {
  const service = new EndToEnd(folder, stopping.signal);
  const tallies = [
    await service.start(),
    await service.test({ name: 'API tests', projects: ['api'] }),
    await service.stop(),
  ];
  process.exitCode = tallies.some(({ failures }) => failures.length > 0) ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
