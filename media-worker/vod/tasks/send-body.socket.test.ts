import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { openEgress } from '@/lib/infra/egress/egress';
import { sendBody } from './send-body';
import { RemoteFailure } from './task-job';

const egress = openEgress({ allowCidrs: ['127.0.0.1/32'] });
const job = { ctx: { clock: systemClock }, egress, signal: new AbortController().signal };
const minRate = { bytesPerSecond: 10_000, windowMs: 600, samplesPerWindow: 3 };
const block = Buffer.alloc(1_000_000);
let server: Server;
let url = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/never') return;
    if (request.url === '/broken') return void request.once('data', () => request.destroy());
    request.resume().on('end', () => setTimeout(() => response.end('kept'), request.url === '/late' ? 2_000 : 0));
  }).listen(0, '127.0.0.1'); // prettier-ignore
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  server.close();
});

async function* blocks(count: number): AsyncGenerator<Buffer> {
  for (let sentBlocks = 0; sentBlocks < count; sentBlocks++) yield await Promise.resolve(block);
}
const body = (count: number) => ({ body: blocks(count), bytes: count * block.length });
const request = { method: 'PUT', headers: {}, minRate };

test('a file is sent completely, and the answer may take longer than the file', async () => {
  let reportedBytes = 0;
  const options = { ...request, ...body(3), onSent: (sentBytes: number) => (reportedBytes = sentBytes) };
  const reply = await sendBody(job, { url: `${url}/late`, ...options });
  reply.body.resume();
  expect([reply.status, reportedBytes]).toEqual([200, 3 * block.length]);
});

test('sending fails if the server accepts no bytes', async () => {
  // The body is larger than the buffers of both sockets.
  const sending = sendBody(job, { url: `${url}/never`, ...request, ...body(60) });
  await expect(sending).rejects.toThrow(RemoteFailure);
  await expect(sending).rejects.toThrow(/too slowly: less than 10 kB a second over 0.6 s/);
});

test('sending over a connection that breaks fails with an interruption', async () => {
  const sending = sendBody(job, { url: `${url}/broken`, ...request, ...body(60) });
  await expect(sending).rejects.toMatchObject({ name: 'EgressError', failure: 'interrupted' });
});

test('an error of reading the file is thrown unchanged, not as a failure of the remote server', async () => {
  async function* brokenBody(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(block);
    throw new Error('EIO: the disk');
  }
  const sending = sendBody(job, { url, ...request, body: brokenBody(), bytes: 2 * block.length });
  await expect(sending).rejects.toThrow('EIO: the disk');
});
