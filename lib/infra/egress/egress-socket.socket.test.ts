import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEgressSockets } from './egress-socket';

let connectionCount = 0;
const server = createServer((socket) => {
  connectionCount += 1;
  socket.on('error', () => undefined);
  socket.end('hello');
});
let port = 0;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

const resolveTo = (address: string) => () => Promise.resolve([{ address, family: 4 }]);
const loopbackSockets = openEgressSockets({ allowCidrs: ['127.0.0.1/32'], resolve: resolveTo('127.0.0.1') });
const publicOnlySockets = openEgressSockets({ allowCidrs: [], resolve: resolveTo('127.0.0.1') });
const options = { timeoutMs: 20_000 };

test('connects to, and resolves, allowed hosts to the address of the lookup', async () => {
  const socket = await loopbackSockets.connect({ host: 'live.example.com', port, tls: false }, options);
  expect(socket.remoteAddress).toBe('127.0.0.1');
  expect(String((await once(socket, 'data'))[0])).toBe('hello');
  socket.destroy();
  expect(await loopbackSockets.resolve('live.example.com', options)).toBe('127.0.0.1');
  expect(await loopbackSockets.resolve('127.0.0.1', options)).toBe('127.0.0.1');
});

test.each(['127.0.0.1', 'live.example.com', 'localhost', '[::1]', '[::ffff:7f00:1]', '0.0.0.0'])(
  '%s leads to a private address, so it is denied without a connection',
  async (host) => {
    const countBefore = connectionCount;
    await expect(publicOnlySockets.connect({ host, port, tls: false }, options)).rejects.toMatchObject({
      failure: 'unreachable',
    });
    await expect(publicOnlySockets.resolve(host, options)).rejects.toMatchObject({ failure: 'unreachable' });
    expect(connectionCount).toBe(countBefore);
  },
);

test('a name with one private address is denied entirely', async () => {
  const mixedSockets = openEgressSockets({
    allowCidrs: [],
    resolve: () =>
      Promise.resolve([
        // A public address, unlike 203.0.113.0/24, which is reserved for documentation.
        { address: '203.0.114.1', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]),
  });
  await expect(mixedSockets.resolve('live.example.com', options)).rejects.toMatchObject({
    failure: 'unreachable',
  });
});

test('a name whose resolver does not respond is unreachable after the timeout', async () => {
  const sockets = openEgressSockets({ allowCidrs: [], resolve: () => new Promise(() => undefined) });
  await expect(sockets.resolve('live.example.com', { timeoutMs: 10 })).rejects.toMatchObject({
    failure: 'unreachable',
  });
});

test('a server without TLS is rejected if TLS is requested', async () => {
  await expect(
    loopbackSockets.connect({ host: 'live.example.com', port, tls: true }, options),
  ).rejects.toMatchObject({
    failure: 'tls',
  });
});

test('a server that does not complete the TLS handshake is unreachable after the timeout', async () => {
  const silentServer = createServer((socket) => void socket.pause()).listen(0, '127.0.0.1');
  await once(silentServer, 'listening');
  const address = { host: '127.0.0.1', port: (silentServer.address() as AddressInfo).port, tls: true };

  await expect(loopbackSockets.connect(address, { timeoutMs: 200 })).rejects.toMatchObject({
    failure: 'unreachable',
  });
  silentServer.close();
});
