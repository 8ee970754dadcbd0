import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { setUpHttpServers } from '@/lib/infra/testing/http-servers';
import { limitConnections, createHttpServer } from './http-server';

const limits = { maxConnections: 10, requestTimeoutMs: 0 };
const { start, sendText } = setUpHttpServers();

const upgradeRequest = 'GET /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

describe('an upgrade request', () => {
  test('is rejected and its connection closed', async () => {
    const port = await start(createHttpServer((_, response) => response.end(), limits));
    expect(await sendText(port, upgradeRequest)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('is closed even if a framework listens for upgrades and ignores this one', async () => {
    const server = createHttpServer((_, response) => response.end(), limits);
    server.on('upgrade', () => undefined);
    const port = await start(server);
    await Promise.all(Array.from({ length: 5 }, () => sendText(port, upgradeRequest)));
    await expect
      .poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count))))
      .toBe(0);
  });

  test('does not stop the server if its connection is reset', async () => {
    const server = createHttpServer((_, response) => response.end('ok'), limits);
    const port = await start(server);
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(upgradeRequest);
      socket.resetAndDestroy();
    });
    await once(socket, 'close');
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('ok');
  });
});

test.runIf(process.platform === 'linux')(
  'a connection limit above the file descriptors of the process is lowered (needs Linux)',
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
  const firstSocket = connect(port, '127.0.0.1');
  await once(firstSocket, 'connect');
  expect(await sendText(port, 'GET / HTTP/1.1\r\n')).toBe('');
  firstSocket.destroy();
  const request = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  await expect.poll(() => sendText(port, request)).toMatch(/^HTTP\/1\.1 200 /);
});
