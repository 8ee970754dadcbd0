import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach } from 'vitest';
import { importAsset } from '@/lib/domain/assets';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import type { TaskHandler } from '@/media-worker/vod/tasks/task-job';
import { createTaskRunner } from './run-tasks';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface ForeignServer {
  /** URL without a path. */
  readonly base: string;
  /** Requests of the current test. */
  readonly requests: { method: string; headers: IncomingHttpHeaders; body: Buffer }[];
  answer: Answer;
}

/**
 * Creates a task runner with its own database, a team, and a remote server that serves a valid video by default. Call it at
 * the top level of a test file: it is closed after the last test.
 * @returns among others `foreign`, the remote server, and `good`, the video that it serves
 */
export async function createAssetWork(handlers: Readonly<Record<string, TaskHandler>>) {
  const foreign: ForeignServer = { base: '', requests: [], answer: (_, response) => response.end() };
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      foreign.requests.push({ method: request.method ?? '', headers: request.headers, body });
      foreign.answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(foreign, { base });
  const fixtures = createWorkerFixtures(await createTestDatabase(), {
    egressAllowCidrs: ['127.0.0.1/32'],
    maxUploadBytes: 2_000_000,
    ipfsPinningUrl: base,
  });
  const owner = await fixtures.createTeamContext();
  const samples = createSampleFiles();
  const good = readFileSync(samples.make('good.mp4', { seconds: 4, size: '320x180' }));
  const work = createTaskRunner(fixtures.ctx, handlers);
  beforeEach(() => {
    foreign.requests.length = 0;
    foreign.answer = (_, response) => response.end(good);
  });
  afterAll(async () => {
    await work.close();
    server.closeAllConnections();
    server.close();
    samples.remove();
  });
  const importFromUrl = async (path = '/film.mp4') => {
    const { asset, task } = await importAsset(owner, { url: `${base}${path}`, name: 'Film' });
    await work.drain();
    return { assetId: asset.id, taskId: task.id };
  };
  const createReadyAsset = async () => (await importFromUrl(`/${Math.random()}.mp4`)).assetId;
  return { foreign, fixtures, owner, samples, good, work, importFromUrl, createReadyAsset };
}
