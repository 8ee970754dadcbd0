import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { exportAsset } from '@/lib/domain/assets';
import { createAssetWork } from '@/media-worker/vod/tasks/testing/asset-work-setup';
import { exportAssetJob } from './export-asset';
import { importAssetJob } from './import-asset';

const { fixtures, owner, good, work, createReadyAsset } = await createAssetWork({
  import: importAssetJob,
  export: exportAssetJob,
});

/** Bytes of the head of a request; 3 while it is incomplete. */
const headLengthOf = (request: string) => request.indexOf('\r\n\r\n') + 4;
/** The requests received, one per connection. */
const receivedRequests: string[] = [];
let onData: (socket: Socket, request: string, connection: number) => void = () => undefined;
const server = createServer((socket) => {
  const connection = receivedRequests.push('') - 1;
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    const request = `${receivedRequests[connection] ?? ''}${chunk.toString('latin1')}`;
    receivedRequests[connection] = request;
    onData(socket, request, connection);
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close());

test('a second request reads the answer of a server that closed early, and the answer is final', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sink`;
  const answer = 'HTTP/1.1 413 Payload Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
  onData = (socket, request, connection) => {
    if (connection === 0 && request.length > headLengthOf(request) + 1_000) socket.resetAndDestroy();
    if (connection === 1 && headLengthOf(request) > 3) socket.pause().end(answer);
  };
  const { task } = await exportAsset(owner, { id: await createReadyAsset(), body: { custom: { url } } });
  await work.drain();
  expect(await fixtures.taskRow(task.id)).toMatchObject({
    phase: 'failed',
    retries: 0,
    errorMessage: 'the destination answered 413',
  });
  expect(receivedRequests).toHaveLength(2);
  const [, second = ''] = receivedRequests;
  expect(second).toMatch(new RegExp(`content-length: ${good.length}\\r\\n`, 'i'));
  expect(second.length - headLengthOf(second)).toBeLessThanOrEqual(512);
});
