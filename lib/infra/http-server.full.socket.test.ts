import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer } from './http-server';

const limits = { maxConnections: 10, requestTimeout: 0 };
const openHandles: (Server | Socket)[] = [];
afterEach(() => {
  for (const handle of openHandles.splice(0)) {
    if ('closeAllConnections' in handle) {
      handle.close();
      handle.closeAllConnections();
    } else handle.destroy();
  }
});

async function start(server: Server): Promise<number> {
  openHandles.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Sends text on a new connection and returns what the server sent until it closed it. */
function sendText(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  openHandles.push(socket);
  let receivedText = '';
  socket.on('data', (chunk) => (receivedText += chunk.toString()));
  return new Promise((resolve, reject) => {
    socket.on('close', () => resolve(receivedText));
    socket.on('error', reject);
  });
}

test('incomplete headers time out, even without a timeout for bodies', async () => {
  const port = await start(createHttpServer((_, response) => response.end(), limits));
  const startedAt = performance.now();
  expect(await sendText(port, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')).toMatch(/^HTTP\/1\.1 408 /);
  // Node's default check every 30 s would take up to 35 s.
  expect(performance.now() - startedAt).toBeLessThan(25_000);
});
