import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createClientAddressReader, peerAddress } from './egress/ip-address';
import { createHttpServer } from './http-server';
import { ProxyHeaders } from './proxy-protocol';

const trustedRanges = ['127.0.0.1/32', '10.0.0.0/8'];
const openHandles: (HttpServer | Server | Socket)[] = [];
afterEach(() => {
  for (const handle of openHandles.splice(0)) {
    if ('destroy' in handle) handle.destroy();
    else handle.close();
    if ('closeAllConnections' in handle) handle.closeAllConnections();
  }
});

async function listen(server: HttpServer | Server): Promise<number> {
  openHandles.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** HTTP server that responds with the address of the client, the path, and a digest of the body. */
function createAddressServer(): HttpServer {
  const addressOf = createClientAddressReader(trustedRanges);
  return createHttpServer(
    (request, response) => {
      const digest = createHash('sha256');
      request.on('data', (chunk: Buffer) => digest.update(chunk));
      request.on('end', () => response.end(`[${addressOf(request)} ${request.url} ${digest.digest('hex')}]`));
    },
    { maxConnections: 100, requestTimeoutMs: 0, trustedProxies: trustedRanges },
  );
}

interface TestConnection {
  readonly socket: Socket;
  readonly receivedText: () => string;
  readonly closed: Promise<unknown>;
}

function openConnection(port: number, localAddress = '127.0.0.1'): TestConnection {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
  openHandles.push(socket);
  let receivedText = '';
  socket.on('data', (chunk) => (receivedText += chunk.toString('latin1'))).on('error', () => undefined);
  return { socket, receivedText: () => receivedText, closed: once(socket, 'close') };
}

const createRequest = (path = '/', headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const headerV1 = (client: string) => `PROXY TCP4 ${client} 127.0.0.1 5000 80\r\n`;
/**
 * The signature of version 2, and then in hexadecimal: version and command (21: version 2, with an address; 20: of the
 * balancer itself), family (11: TCP over IPv4), length, addresses and ports.
 */
const headerV2 = (text: string) => Buffer.from(`0d0a0d0a000d0a515549540a${text}`, 'hex');

describe('an HTTP server behind a trusted balancer', () => {
  test.each<[string, Buffer | string, string]>([
    ['no header', '', '127.0.0.1'],
    ['version 1', headerV1('192.0.2.1'), '192.0.2.1'],
    ['version 1, IPv6', 'PROXY TCP6 2001:DB8:0::1 ::1 5000 80\r\n', '2001:db8::1'],
    ['version 1 with an IPv4-mapped address', 'PROXY TCP6 ::ffff:192.0.2.1 ::1 5000 80\r\n', '192.0.2.1'],
    ['version 1 of an unknown protocol', 'PROXY UNKNOWN\r\n', '127.0.0.1'],
    ['version 2', headerV2('2111000cc00002017f00000113880050'), '192.0.2.1'],
    ['version 2 of the balancer itself', headerV2('20000000'), '127.0.0.1'],
  ])('gets the client address with %s', async (_name, header, client) => {
    const { socket, receivedText } = openConnection(await listen(createAddressServer()));
    socket.write(Buffer.concat([Buffer.from(header), Buffer.from(createRequest('/one'))]));
    await expect.poll(receivedText).toContain(`[${client} /one `);
    socket.write(createRequest('/two'));
    await expect.poll(receivedText).toContain(`[${client} /two `);
  });

  test('parses a header that arrives byte by byte', async () => {
    const { socket, receivedText } = openConnection(await listen(createAddressServer()));
    for (const byte of Buffer.from(headerV1('192.0.2.1') + createRequest())) {
      socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    await expect.poll(receivedText).toContain('[192.0.2.1 / ');
  });

  test('gets every byte after the header', async () => {
    const body = Buffer.alloc(3_000_000, 'some bytes');
    const { socket, receivedText } = openConnection(await listen(createAddressServer()));
    const request = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(headerV1('192.0.2.1') + request), body]));
    await expect.poll(receivedText).toContain(createHash('sha256').update(body).digest('hex'));
  });

  test('trusts X-Forwarded-For only from a trusted proxy behind the balancer', async () => {
    const port = await listen(createAddressServer());
    const request = createRequest('/', 'X-Forwarded-For: 203.0.113.5\r\n');
    const [client, proxy] = [openConnection(port), openConnection(port)];
    client.socket.write(headerV1('192.0.2.1') + request);
    proxy.socket.write(headerV1('10.1.2.3') + request);
    await expect.poll(client.receivedText).toContain('[192.0.2.1 / ');
    await expect.poll(proxy.receivedText).toContain('[203.0.113.5 / ');
  });

  test('closes a connection with an invalid header without a response', async () => {
    const { socket, receivedText, closed } = openConnection(await listen(createAddressServer()));
    socket.write(`PROXY TCP4 invalid 127.0.0.1 5000 80\r\n${createRequest()}`);
    await closed;
    expect(receivedText()).toBe('');
  });

  test('closes silent connections when it stops', async () => {
    const server = createAddressServer();
    const port = await listen(server);
    const [silent, incomplete] = [openConnection(port), openConnection(port)];
    incomplete.socket.write('PROXY TCP4');
    await expect
      .poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count))))
      .toBe(2);
    await new Promise((resolve) => server.close(resolve));
    await Promise.all([silent.closed, incomplete.closed]);
  });
});

test('a header of an untrusted client is a bad request', async () => {
  const { socket, receivedText, closed } = openConnection(await listen(createAddressServer()), '127.0.0.2');
  socket.write(headerV1('192.0.2.1') + createRequest());
  await closed;
  expect(receivedText()).toMatch(/^HTTP\/1\.1 400 /);
});

describe('connections without a header', () => {
  const acceptedClients: string[] = [];
  const startServer = (limits: ConstructorParameters<typeof ProxyHeaders>[2]) => {
    acceptedClients.length = 0;
    const headers = new ProxyHeaders(
      trustedRanges,
      (socket) => acceptedClients.push(peerAddress(socket)),
      limits,
    );
    const server = createServer({ allowHalfOpen: true }, headers.onConnection);
    return listen(server);
  };

  test('are closed after a timeout', async () => {
    const port = await startServer({ headerTimeoutMs: 50, maxWaiting: 10 });
    const [silent, incomplete] = [openConnection(port), openConnection(port)];
    incomplete.socket.write('PROXY TCP4 192.0.2.1 ');
    await Promise.all([silent.closed, incomplete.closed]);
    expect(acceptedClients).toEqual([]);
  });

  test('are closed when the client ends its side', async () => {
    const port = await startServer({ headerTimeoutMs: 60_000, maxWaiting: 10 });
    const { socket, closed } = openConnection(port);
    socket.end('PROXY');
    await closed;
    expect(acceptedClients).toEqual([]);
  });

  test('are closed, oldest first, above the limit', async () => {
    const port = await startServer({ headerTimeoutMs: 60_000, maxWaiting: 2 });
    const oldest = openConnection(port);
    await once(oldest.socket, 'connect');
    const newerConnections = [openConnection(port), openConnection(port)];
    await oldest.closed;
    for (const { socket } of newerConnections) socket.write(headerV1('192.0.2.1'));
    await expect.poll(() => acceptedClients).toEqual(['192.0.2.1', '192.0.2.1']);
  });
});
