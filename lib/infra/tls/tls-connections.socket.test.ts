import { once } from 'node:events';
import { type IncomingMessage, type Server, request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Certificate } from './certificate';
import { peerAddress } from '../egress/ip-address';
import { createHttpServer } from '../http-server';
import { ProxyHeaders } from '../proxy-protocol';
import { createNodeCertificates, type NodeCertificates } from '../testing/node-certificates';
import { TlsConnections } from './tls-connections';

const certificates: NodeCertificates[] = [];
const openHandles: { destroy(): unknown }[] = [];
const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const handle of openHandles.splice(0)) handle.destroy();
  for (const handle of servers.splice(0)) handle.close();
});
afterAll(() => Promise.all(certificates.map((files) => files.remove())));

const trustedProxies = ['127.0.0.1/32'];
const proxyHeader = (client: string) => `PROXY TCP4 ${client} 127.0.0.1 5000 443\r\n`;

async function createFiles(): Promise<NodeCertificates> {
  const files = await createNodeCertificates();
  certificates.push(files);
  return files;
}

const logLines: string[] = [];
const log = {
  info: (_: object, message: string) => void logLines.push(message),
  warn: (_: object, message: string) => void logLines.push(message),
};

/** A certificate without a CA for client certificates. */
const openCertificate = ({ files: { cert, key } }: NodeCertificates) => new Certificate({ cert, key });

async function listen(server: Server | ReturnType<typeof createServer>): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface TestHttpsServer {
  readonly port: number;
  readonly server: Server;
  readonly files: NodeCertificates;
}

/** Starts a server that responds with the client's address and the path. */
async function startHttps(publicUrl = 'https://video.example.com'): Promise<TestHttpsServer> {
  const files = await createFiles();
  const server = createHttpServer(
    (request, response) => response.end(`${peerAddress(request.socket)} ${request.url ?? ''}`),
    {
      maxConnections: 100,
      requestTimeoutMs: 0,
      trustedProxies,
      publicTls: { certificate: openCertificate(files), publicUrl, log },
    },
  );
  return { server, files, port: await listen(server) };
}

function openConnection(port: number, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  openHandles.push(socket);
  return socket;
}

/** Starts TLS on a connection, and verifies that the certificate is for 127.0.0.1 and signed by the CA. */
async function connectSecurely(socket: Socket, { files }: NodeCertificates): Promise<TLSSocket> {
  const client = connectTls({ socket, host: '127.0.0.1', ca: await readFile(files.ca) });
  openHandles.push(client);
  await once(client, 'secureConnect');
  return client;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

async function sendAndReceive(client: Socket, bytes: string, expected: RegExp): Promise<string> {
  let receivedText = '';
  client.on('data', (data) => (receivedText += String(data)));
  client.write(bytes);
  await expect.poll(() => receivedText, { timeout: 60_000 }).toMatch(expected);
  return receivedText;
}

async function requestWithoutTls(port: number, method: string, headers = {}) {
  const outgoing = plainRequest({
    port,
    host: '127.0.0.1',
    method,
    path: '/watch/a?b=c',
    headers,
    agent: false,
  });
  outgoing.end(method === 'POST' ? '{}' : undefined);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { statusCode, headers: responseHeaders } = response;
  return { status: statusCode, location: responseHeaders.location, body: await text(response) };
}

describe('HTTPS', () => {
  test('uses TLS 1.3, and responds with the address of the client', async () => {
    const { port, files } = await startHttps();
    const client = await connectSecurely(openConnection(port, '127.0.0.9'), files);
    expect(await sendAndReceive(client, get('/a'), /\/a$/)).toMatch(
      /^HTTP\/1\.1 200 [^]*\n127\.0\.0\.9 \/a$/,
    );
    expect(client.getProtocol()).toBe('TLSv1.3');
    expect(client.alpnProtocol).toBe(false);
  });

  test('negotiates HTTP/1.1 by ALPN, and reuses connections', async () => {
    const { port } = await startHttps();
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
    openHandles.push(agent);
    const sockets = new Set<unknown>();
    for (const path of ['/one', '/two']) {
      const outgoing = request({ port, host: '127.0.0.1', path, agent }).end();
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage & { socket: TLSSocket }];
      sockets.add(response.socket);
      expect(response.socket.alpnProtocol).toBe('http/1.1');
      expect(await text(response)).toBe(`127.0.0.1 ${path}`);
      await new Promise(setImmediate);
    }
    expect(sockets.size).toBe(1);
  });

  test('rejects a client that supports TLS 1.1 at most', async () => {
    const { port } = await startHttps();
    const oldTls = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const client = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...oldTls });
    openHandles.push(client);
    const [error] = (await once(client, 'error')) as [Error];
    expect(error.message).toMatch(/protocol version|ECONNRESET/);
  });

  test.each([
    ['in a packet of its own', true],
    ['together with the first bytes of TLS', false],
  ])('accepts a PROXY header before TLS, %s', async (_name, isSeparate) => {
    const { port, files } = await startHttps();
    const socket = openConnection(port);
    await once(socket, 'connect');
    if (!isSeparate) socket.cork();
    socket.write(proxyHeader('192.0.2.7'));
    const handshake = connectSecurely(socket, files);
    socket.uncork();
    const client = await handshake;
    expect(await sendAndReceive(client, get('/b'), /\/b$/)).toMatch(/\n192\.0\.2\.7 \/b$/);
  });

  test('sends a large response completely behind a PROXY header', async () => {
    const files = await createFiles();
    const body = Buffer.alloc(5_000_000, 'x');
    const publicTls = { certificate: openCertificate(files), log };
    const server = createHttpServer((_, response) => response.end(body), {
      maxConnections: 10,
      requestTimeoutMs: 0,
      trustedProxies,
      publicTls,
    });
    const socket = openConnection(await listen(server));
    socket.write(proxyHeader('192.0.2.7'));
    const client = await connectSecurely(socket, files);
    let bytes = 0;
    client.on('data', (data: Buffer) => (bytes += data.length));
    client.write(get('/'));
    await expect.poll(() => bytes, { timeout: 60_000 }).toBeGreaterThan(body.length);
  });
});

describe('a client without TLS', () => {
  test('is redirected to the same path of the public URL', async () => {
    const { port } = await startHttps();
    const location = 'https://video.example.com/watch/a?b=c';
    expect(await requestWithoutTls(port, 'GET')).toMatchObject({ status: 301, location });
    expect(await requestWithoutTls(port, 'HEAD')).toMatchObject({ status: 301, location });
  });

  test.each([
    ['changes something', 'POST', {}],
    ['has a key', 'GET', { authorization: 'Bearer secret' }],
  ])('gets an error when its request %s', async (_name, method, headers) => {
    const { port } = await startHttps();
    const reply = await requestWithoutTls(port, method, headers);
    expect(reply).toMatchObject({ status: 400, location: undefined });
    expect(JSON.parse(reply.body)).toEqual({ errors: [expect.stringContaining('https://')] });
  });

  test('is not redirected if the public URL has no TLS either', async () => {
    const { port } = await startHttps('http://video.example.com');
    expect(await requestWithoutTls(port, 'GET')).toMatchObject({ status: 400 });
  });

  test('is redirected behind a balancer', async () => {
    const { port } = await startHttps();
    expect(
      await sendAndReceive(openConnection(port), proxyHeader('192.0.2.7') + get('/c'), /\r\n\r\n/),
    ).toMatch(/^HTTP\/1\.1 301 /);
  });
});

describe('a renewed certificate', () => {
  const subjectOf = async ({ port, files }: TestHttpsServer): Promise<string> => {
    const client = await connectSecurely(openConnection(port), files);
    const { subject } = client.getPeerCertificate();
    client.destroy();
    return String(subject.CN);
  };

  test('is used by new connections, while open connections continue', async () => {
    const https = await startHttps();
    const client = await connectSecurely(openConnection(https.port), https.files);
    await sendAndReceive(client, get('/before'), /\/before$/);
    // Requests on new connections run continuously, and none may fail.
    let requestCount = 0;
    const subjects: string[] = [];
    let isRenewed = false;
    const requestLoops = Array.from({ length: 4 }, async () => {
      while (!isRenewed) {
        const subject = await subjectOf(https);
        requestCount += 1;
        subjects.push(subject);
        isRenewed ||= subject === 'node1-renewed';
      }
    });
    await expect.poll(() => requestCount, { timeout: 60_000 }).toBeGreaterThan(4);
    await https.files.replaceCertificate('renewed');
    await Promise.all(requestLoops);
    expect(new Set(subjects)).toEqual(new Set(['node1', 'node1-renewed']));
    expect(await sendAndReceive(client, get('/after'), /\/after$/)).toContain('200 OK');
    expect(logLines).toContain('certificate renewed');
  });

  test('that is unusable is logged once, and the previous certificate stays in use', async () => {
    const https = await startHttps();
    logLines.length = 0;
    await https.files.breakKey();
    await expect.poll(() => logLines, { timeout: 60_000 }).toHaveLength(1);
    expect(logLines[0]).toContain('previous one is used');
    expect(await subjectOf(https)).toBe('node1');
  });
});

describe('an incomplete handshake', () => {
  const receivedEvents: string[] = [];

  async function startTlsLayer(limits: { handshakeTimeoutMs: number; maxWaiting: number }) {
    receivedEvents.length = 0;
    const files = await createFiles();
    const tls = new TlsConnections({
      certificate: openCertificate(files),
      log,
      onSecure: (socket) => receivedEvents.push(`secure ${peerAddress(socket)}`),
      onPlain: (socket) => {
        receivedEvents.push('plain');
        socket.destroy();
      },
      limits,
    });
    servers.push(tls);
    const headers = new ProxyHeaders(trustedProxies, tls.onConnection);
    const server = createServer(headers.onConnection);
    return { files, tls, port: await listen(server) };
  }

  test('times out, as does a silent connection', async () => {
    const { port } = await startTlsLayer({ handshakeTimeoutMs: 200, maxWaiting: 10 });
    const [silent, incomplete] = [openConnection(port, '127.0.0.2'), openConnection(port, '127.0.0.2')];
    // The start of a ClientHello.
    incomplete.write(Buffer.from([0x16, 3, 1, 2, 0, 1]));
    await Promise.all([once(silent, 'close'), once(incomplete, 'close')]);
    expect(receivedEvents).toEqual([]);
  });

  test('is closed for newer connections above the limit', async () => {
    const { port, files } = await startTlsLayer({ handshakeTimeoutMs: 600_000, maxWaiting: 2 });
    const oldest = openConnection(port, '127.0.0.2');
    await once(oldest, 'connect');
    const newerConnections = [openConnection(port, '127.0.0.2'), openConnection(port, '127.0.0.2')];
    await once(oldest, 'close');
    for (const client of newerConnections) await connectSecurely(client, files);
    await expect.poll(() => receivedEvents).toEqual(['secure 127.0.0.2', 'secure 127.0.0.2']);
  });

  test('does not delay a stop', async () => {
    const { server, port } = await startHttps();
    const incomplete = openConnection(port, '127.0.0.2');
    incomplete.write(Buffer.from([0x16, 3, 1]));
    await expect
      .poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count))))
      .toBe(1);
    await new Promise((resolve) => server.close(resolve));
    if (!incomplete.closed) await once(incomplete, 'close');
  });

  test('leaves no connection when the client disconnects at the end of the handshake', async () => {
    const { server, port, files } = await startHttps();
    for (let count = 0; count < 10; count += 1)
      (await connectSecurely(openConnection(port), files)).destroy();
    await expect
      .poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count))), {
        timeout: 60_000,
      })
      .toBe(0);
  });

  test('is closed when it is malformed', async () => {
    const { port } = await startTlsLayer({ handshakeTimeoutMs: 600_000, maxWaiting: 2 });
    const socket = openConnection(port, '127.0.0.2');
    // The header of a handshake record of 5 bytes, and then bytes that are no ClientHello.
    socket.write(Buffer.concat([Buffer.from([0x16, 3, 1, 0, 5]), Buffer.alloc(100, 0xee)]));
    await once(socket.resume(), 'close');
    expect(receivedEvents).toEqual([]);
  });
});
