import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { limitConnections, createHttpServer } from './http-server';

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

const upgrade = 'GET /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

describe('an upgrade request', () => {
  test('is rejected and its connection closed', async () => {
    const port = await start(createHttpServer((_, response) => response.end(), limits));
    expect(await sendText(port, upgrade)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('is closed even if a framework listens for upgrades and ignores this one', async () => {
    const server = createHttpServer((_, response) => response.end(), limits);
    server.on('upgrade', () => undefined);
    const port = await start(server);
    await Promise.all(Array.from({ length: 5 }, () => sendText(port, upgrade)));
    await expect
      .poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count))))
      .toBe(0);
  });

  test('does not stop the server if its connection is reset', async () => {
    const server = createHttpServer((_, response) => response.end('ok'), limits);
    const port = await start(server);
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(upgrade);
      socket.resetAndDestroy();
    });
    await once(socket, 'close');
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('ok');
  });
});

test.runIf(process.platform === 'linux')(
  'the connection limit stays below the file descriptors of the process (needs Linux)',
  () => {
    const server = createHttpServer(() => undefined, { ...limits, maxConnections: 1e9 });
    expect(server.maxConnections).toBeLessThan(1e9);
    expect(server.maxConnections).toBeGreaterThan(0);
  },
);

test('limitConnections closes connections above the limit', async () => {
  const server = createHttpServer((_, response) => response.end('ok'), { ...limits, maxConnections: 1e9 });
  limitConnections(server, 1);
  const port = await start(server);
  const first = connect(port, '127.0.0.1');
  openHandles.push(first);
  await once(first, 'connect');
  expect(await sendText(port, 'GET / HTTP/1.1\r\n')).toBe('');
  first.destroy();
  const request = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  await expect.poll(() => sendText(port, request)).toMatch(/^HTTP\/1\.1 200 /);
});
