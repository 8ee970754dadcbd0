import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { videoConfig, videoFrame } from '@/media-worker/media/packaging/testing/synthetic-packets';
import { FlvReader } from './flv-reader';
import { PacketBus } from './packet-bus';
import { sendFlv } from './send-flv';

const cleanups: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const openBus = () => new PacketBus({ onSubscriberError: () => undefined });

/** Starts an HTTP server that sends a source with two layers, and connects one reader. */
async function startServer() {
  const [source, ...layers] = [openBus(), openBus(), openBus()];
  let whenSent: Promise<void> = Promise.resolve();
  const server = createServer((_request, response: ServerResponse) => {
    whenSent = sendFlv(
      response,
      source.openReader(),
      layers.map((layer) => layer.openReader()),
    ).then(() => void response.end());
  }).listen(0, '127.0.0.1');
  cleanups.push(() => server.close());
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { source, layers, request, response, whenSent: () => whenSent };
}

test('the packets of a source and the frames of its layers arrive, and the response ends with the source', async () => {
  const { source, layers, response } = await startServer();
  source.push(videoConfig());
  for (let ms = 0; ms < 400; ms += 40) {
    source.push(videoFrame(ms, { key: ms === 0 }));
    for (const layer of layers) layer.push(videoFrame(ms, { key: ms === 0 }));
  }
  /** Number of packets of the source, and of each layer by its number. */
  const received = { source: 0, 1: 0, 2: 0 };
  const reader = new FlvReader(
    () => (received.source += 1),
    (layer) => (received[layer as 1 | 2] += 1),
  );
  response.on('data', (chunk: Buffer) => reader.push(chunk));
  // Ten frames each, and the configuration of the source.
  await expect.poll(() => received).toEqual({ source: 11, 1: 10, 2: 10 });
  const whenEnded = once(response, 'end');
  source.end('finished');
  await whenEnded;
});

test('when the client disconnects, sending ends', async () => {
  const { request, whenSent } = await startServer();
  request.destroy();
  await expect(whenSent()).resolves.toBeUndefined();
});
