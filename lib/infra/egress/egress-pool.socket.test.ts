import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { openEgress, type EgressRequest } from './egress';
import { createEgressConnector } from './egress-connector';
import { ConnectionPool } from './egress-pool';
import { createEgressPolicy } from './egress-policy';
import { systemResolve } from './own-addresses';

const allowCidrs = ['127.0.0.1/32'];
const client = openEgress({ allowCidrs });
const servers: { close(): void }[] = [];
afterAll(async () => {
  await client.close();
  for (const server of servers) server.close();
});

const responseText = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
interface Server {
  readonly url: string;
  /** Number of requests of each connection, in the order in which the connections were opened. */
  readonly requestCounts: number[];
}

/**
 * Starts a TCP server for requests that arrive in one piece.
 * @param onRequest handles each request; gets the index of its connection, and of the request in that connection, from 0
 */
async function startServer(
  onRequest: (socket: Socket, connectionIndex: number, requestIndex: number) => void,
): Promise<Server> {
  const requestCounts: number[] = [];
  const server = createServer((socket) => {
    const connectionIndex = requestCounts.push(0) - 1;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      const requestIndex = requestCounts[connectionIndex] ?? 0;
      requestCounts[connectionIndex] = requestIndex + 1;
      onRequest(socket, connectionIndex, requestIndex);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requestCounts };
}

const bodyOf = async (url: string, request: EgressRequest = {}) =>
  text((await client.fetch(url, { method: 'POST', ...request })).body);

describe('calls with the same key', () => {
  test('reuse a connection and report its remote address each time, unless the body is a stream', async () => {
    const { url, requestCounts } = await startServer((socket) => socket.write(responseText));
    const remoteAddresses: string[] = [];
    const onConnected = (address: string) => void remoteAddresses.push(address);
    for (let call = 0; call < 5; call++)
      expect(await bodyOf(url, { connectionKey: 'a', onConnected })).toBe('ok');
    expect(requestCounts).toEqual([5]);
    expect(remoteAddresses).toEqual(Array(5).fill('127.0.0.1'));
    // Another key, no key, and a stream body each need another connection.
    await bodyOf(url, { connectionKey: 'b' });
    await bodyOf(url);
    await bodyOf(url, { connectionKey: 'a', body: Readable.from(['x']) });
    expect(requestCounts).toHaveLength(4);
  });

  test('never share a connection concurrently', async () => {
    const { url, requestCounts } = await startServer((socket) =>
      setTimeout(() => socket.write(responseText), 30),
    );
    const callTenTimes = () =>
      Promise.all(Array.from({ length: 10 }, () => bodyOf(url, { connectionKey: 'a' })));
    await callTenTimes();
    await callTenTimes();
    expect(requestCounts).toEqual(Array(10).fill(2));
  });

  test('do not reuse a connection whose response was not read to its end', async () => {
    const { url, requestCounts } = await startServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(100_000)}`);
    });
    const { body } = await client.fetch(url, { connectionKey: 'a' });
    await once(body, 'data');
    body.destroy();
    const nextReply = await client.fetch(url, { connectionKey: 'a' });
    nextReply.body.destroy();
    expect(requestCounts).toEqual([1, 1]);
  });
});

describe('a closed connection', () => {
  test('is replaced for one retry if the server closes it before a later response', async () => {
    const { url, requestCounts } = await startServer((socket, connectionIndex, requestIndex) => {
      if (connectionIndex === 0 && requestIndex === 1) socket.destroy();
      else socket.write(responseText);
    });
    const remoteAddresses: string[] = [];
    const onConnected = (address: string) => void remoteAddresses.push(address);
    for (let call = 0; call < 3; call++)
      expect(await bodyOf(url, { connectionKey: 'a', onConnected })).toBe('ok');
    expect(requestCounts).toEqual([2, 2]);
    // Three calls, of which the second is sent twice.
    expect(remoteAddresses).toEqual(Array(4).fill('127.0.0.1'));
  });

  test('is an error without a retry before its first response', async () => {
    const { url, requestCounts } = await startServer((socket) => socket.destroy());
    await expect(bodyOf(url, { connectionKey: 'a' })).rejects.toMatchObject({ failure: 'interrupted' });
    expect(requestCounts).toEqual([1]);
  });

  test('is an error if the retry fails', async () => {
    const { url, requestCounts } = await startServer((socket, connectionIndex, requestIndex) => {
      if (connectionIndex === 0 && requestIndex === 0) socket.write(responseText);
      else socket.destroy();
    });
    await bodyOf(url, { connectionKey: 'a' });
    await expect(bodyOf(url, { connectionKey: 'a' })).rejects.toMatchObject({ failure: 'interrupted' });
    expect(requestCounts).toEqual([2, 1]);
  });
});

describe('an idle connection', () => {
  afterEach(() => void vi.useRealTimers());
  const createPool = () =>
    new ConnectionPool(createEgressConnector(createEgressPolicy(allowCidrs), systemResolve));
  // The pool creates connections without connecting them, so no server is needed.
  const origin = 'http://127.0.0.1:9';

  test('is closed after four seconds, and is not reused a minute after it was opened', () => {
    vi.useFakeTimers();
    const pool = createPool();
    const first = pool.takeConnection(origin, 'a');
    pool.release(first);
    vi.advanceTimersByTime(3_999);
    expect(pool.takeConnection(origin, 'a')).toBe(first);
    pool.release(first);
    vi.advanceTimersByTime(4_000);
    expect(first.client.destroyed).toBe(true);
    const second = pool.takeConnection(origin, 'a');
    expect(second).not.toBe(first);
    // As if it had been opened a minute earlier.
    second.openedAt -= 60_000;
    pool.release(second);
    expect(pool.takeConnection(origin, 'a')).not.toBe(second);
    expect(second.client.destroyed).toBe(true);
  });

  test('above 256 is closed when it is released', async () => {
    const pool = createPool();
    const connections = Array.from({ length: 300 }, (_, index) =>
      pool.takeConnection(origin, `name ${index % 7}`),
    );
    for (const connection of connections) pool.release(connection);
    expect(connections.filter(({ client }) => !client.destroyed)).toHaveLength(256);
    await pool.close();
    expect(connections.every(({ client }) => client.destroyed)).toBe(true);
  });
});
