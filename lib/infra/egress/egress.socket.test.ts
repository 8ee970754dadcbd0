import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { openEgress } from './egress';
import { EgressDeniedError, type EgressError } from './egress-error';
import type { Resolve } from './own-addresses';
import { startDnsServer } from '@/lib/infra/testing/dns-server';
import { startReceiver, type Answer } from '@/lib/infra/testing/receiver';
import { startTlsReceiver } from '@/lib/infra/testing/tls-receiver';
import { version } from '@/lib/infra/version';

const cleanups: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(cleanups.map((close) => close())));

async function openReceiver(answer?: Answer) {
  const receiver = await startReceiver(answer);
  cleanups.push(() => receiver.close());
  return receiver;
}

/** A TCP server, which can write malformed responses. */
async function startRawServer(onRequest: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => onRequest(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openClient(options: { allowCidrs?: string[]; ownHosts?: string[]; resolve?: Resolve } = {}) {
  const egressClient = openEgress({ allowCidrs: ['127.0.0.1/32'], ...options });
  cleanups.push(() => egressClient.close());
  return egressClient;
}
const client = openClient();

describe('a call', () => {
  test('sends the request and returns the response', async () => {
    const { url, received } = await openReceiver((_request, response) => {
      response.writeHead(207, 'Some', { 'x-answer': 'yes' }).end('hello');
    });
    const reply = await client.fetch(`${url}/path?a=b`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'X-Mine': '1' },
      body: 'body',
    });
    expect(reply).toMatchObject({ status: 207, statusText: 'Some', headers: { 'x-answer': 'yes' } });
    expect(await text(reply.body)).toBe('hello');
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/path?a=b',
        body: 'body',
        headers: { 'x-mine': '1', 'content-type': 'text/plain' },
      },
    ]);
  });

  test('streams bodies in both directions', async () => {
    const { url, received } = await openReceiver((request, response) => response.end(request.body));
    const body = Readable.from([Buffer.alloc(70_000, 'a'), Buffer.alloc(70_000, 'b')]);
    const reply = await client.fetch(url, { method: 'PUT', body });
    expect(await buffer(reply.body)).toHaveLength(140_000);
    expect(received[0]?.body).toHaveLength(140_000);
  });

  test('asks the server to close the connection, and does not decompress the body', async () => {
    const { url, received } = await openReceiver((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000)));
    });
    const reply = await client.fetch(url);
    expect((await buffer(reply.body)).length).toBeLessThan(20_000);
    expect(received[0]?.headers.connection).toBe('close');
  });

  test('has a user agent, unless the caller sets one', async () => {
    const { url, received } = await openReceiver();
    for (const headers of [{}, { 'User-Agent': 'me' }])
      await text((await client.fetch(url, { headers })).body);
    expect(received.map(({ headers }) => headers['user-agent'])).toEqual([`Headwater/${version}`, 'me']);
  });

  test('does not follow redirects by default', async () => {
    const { url, received } = await openReceiver((_request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const reply = await client.fetch(url);
    reply.body.destroy();
    expect(reply.status).toBe(302);
    expect(received).toHaveLength(1);
  });
});

describe('outbound calls to private addresses', () => {
  const publicOnlyClient = openClient({ allowCidrs: [] });

  test.each(['127.0.0.1', '2130706433', '0x7f.1', '017700000001', '①②⑦.0.0.1', '127.0.0.1.', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', 'localhost', '169.254.169.254', '10.0.0.1'])(
    'are denied without a connection: %s',
    async (host) => {
      const { port, received } = await openReceiver();
      await expect(publicOnlyClient.fetch(`http://${host}:${port}/`)).rejects.toMatchObject({
        failure: 'unreachable',
        message: 'the connection failed: no public address of this host accepted it',
      });
      expect(received).toEqual([]);
    },
  ); // prettier-ignore

  test('fail with the same message as calls to stopped servers and unknown hosts', async () => {
    const stoppedReceiver = await startReceiver();
    await stoppedReceiver.close();
    const resolve: Resolve = (name) =>
      name === 'nowhere.example'
        ? Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }))
        : Promise.resolve([{ address: '10.0.0.1', family: 4 }]);
    const loopbackClient = openClient({ resolve });
    const failures = await Promise.all(
      [stoppedReceiver.url, 'http://nowhere.example/', 'http://inside.example/'].map((url) =>
        loopbackClient.fetch(url).catch((error: unknown) => error),
      ),
    );
    expect(new Set(failures.map((error) => (error as Error).message)).size).toBe(1);
  });

  test('use one lookup per call, so a name that alternates cannot lead to a denied address', async () => {
    const { port, received } = await openReceiver();
    let lookupCount = 0;
    // Every second lookup returns a denied address, where the receiver listens. The allowed address has no server.
    const resolve = vi.fn<Resolve>(() =>
      Promise.resolve([{ address: lookupCount++ % 2 === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }]),
    );
    const rebindingClient = openClient({ allowCidrs: ['127.0.0.2/32'], resolve });
    const calls = Array.from({ length: 20 }, () =>
      rebindingClient.fetch(`http://rebinding.example:${port}/`).then(
        () => 'answered',
        () => 'failed',
      ),
    );
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['failed']));
    expect(resolve).toHaveBeenCalledTimes(20);
    expect(received).toEqual([]);
  });

  test('are denied if a name server alternates between an allowed and a denied address', async () => {
    const allowedReceiver = await startReceiver(undefined, '127.0.0.2');
    cleanups.push(() => allowedReceiver.close());
    const deniedReceiver = await startReceiver(undefined, '127.0.0.1', allowedReceiver.port);
    cleanups.push(() => deniedReceiver.close());
    const dns = await startDnsServer((round) => (round % 2 === 0 ? '127.0.0.2' : '127.0.0.1'));
    cleanups.push(() => dns.close());
    const rebindingClient = openClient({ allowCidrs: ['127.0.0.2/32'], resolve: dns.resolve });
    const outcomes = new Set<string>();
    for (let call = 0; call < 200; call++) {
      const connectedAddresses: string[] = [];
      const onConnected = (address: string) => void connectedAddresses.push(address);
      const url = `http://rebinding.example:${allowedReceiver.port}/`;
      const outcome = await rebindingClient.fetch(url, { onConnected }).then(
        async ({ status, body }) => `${status} ${await text(body)}`,
        (error: unknown) => (error as Error).message,
      );
      outcomes.add(`${outcome}, connected to ${connectedAddresses.join() || 'no server'}`);
    }
    expect(outcomes).toEqual(
      new Set([
        '200 ok, connected to 127.0.0.2',
        'the connection failed: no public address of this host accepted it, connected to no server',
      ]),
    );
    expect(dns.queryCount()).toBe(200);
    expect(allowedReceiver.received).toHaveLength(100);
    expect(deniedReceiver.received).toEqual([]);
  });

  test('with an allowed name look it up once, and send it as the host', async () => {
    const { port, received } = await openReceiver();
    const resolve = vi.fn<Resolve>(() => Promise.resolve([{ address: '127.0.0.1', family: 4 }]));
    const reply = await openClient({ resolve }).fetch(`http://receiver.example:${port}/`);
    await text(reply.body);
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(received[0]?.headers.host).toBe(`receiver.example:${port}`);
  });

  test('are denied if one of several addresses of the name is private', async () => {
    const { port, received } = await openReceiver();
    const resolve: Resolve = () =>
      Promise.resolve([
        { address: '127.0.0.1', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    await expect(openClient({ resolve }).fetch(`http://mixed.example:${port}/`)).rejects.toThrow(
      'connection failed',
    );
    expect(received).toEqual([]);
  });

  test('are denied if a redirect leads to them', async () => {
    const deniedReceiver = await startReceiver(undefined, '127.0.0.2');
    cleanups.push(() => deniedReceiver.close());
    const location = `http://127.0.0.2:${deniedReceiver.port}/`;
    const { url } = await openReceiver((_, response) => void response.writeHead(302, { location }).end());
    await expect(client.fetch(url, { maxRedirects: 3 })).rejects.toMatchObject({ failure: 'unreachable' });
    expect(deniedReceiver.received).toEqual([]);
  });
});

describe('redirects', () => {
  test('are followed with secret headers only within the first origin', async () => {
    const second = await openReceiver();
    const first = await openReceiver((request, response) => {
      const location = request.url === '/' ? '/again' : second.url;
      response.writeHead(302, { location }).end('moved');
    });
    const reply = await client.fetch(first.url, {
      maxRedirects: 2,
      headers: { authorization: 'Bearer s3cret', 'x-secret': 's3cret', 'user-agent': 'me' },
    });
    expect(await text(reply.body)).toBe('ok');
    expect(reply.url).toBe(`${second.url}/`);
    expect(first.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer s3cret',
      'Bearer s3cret',
    ]);
    expect(second.received[0]?.headers).toMatchObject({ 'user-agent': 'me' });
    expect(JSON.stringify(second.received)).not.toContain('s3cret');
  });

  test('fail above the limit', async () => {
    const { url, received } = await openReceiver((_request, response) => {
      response.writeHead(302, { location: '/round' }).end();
    });
    await expect(client.fetch(url, { maxRedirects: 3 })).rejects.toMatchObject({ failure: 'redirect' });
    expect(received).toHaveLength(4);
  });
});

describe('limits', () => {
  const neverRespond: Answer = () => undefined;
  const respondSlowly: Answer = (_request, response) => {
    response.write('x');
    const timer = setInterval(() => response.write('x'), 40);
    response.on('close', () => clearInterval(timer));
  };
  const writeOneByte: Answer = (_request, response) => void response.write('x');

  test('end a call without a response', async () => {
    const { url } = await openReceiver(neverRespond);
    await expect(client.fetch(url, { timeoutMs: 150 })).rejects.toMatchObject({
      failure: 'timed_out',
      message: 'there was no complete response within 0.15 s',
    });
  });

  test('end a call whose body arrives too slowly', async () => {
    const { url } = await openReceiver(respondSlowly);
    const reply = await client.fetch(url, { timeoutMs: 1_500 });
    await expect(text(reply.body)).rejects.toMatchObject({ failure: 'timed_out' });
  });

  test('end a call whose headers arrive too late', async () => {
    const { url } = await openReceiver(neverRespond);
    await expect(client.fetch(url, { headersTimeoutMs: 150 })).rejects.toMatchObject({
      failure: 'timed_out',
      message: 'the response did not start in time',
    });
  });

  test('end a call whose body pauses too long', async () => {
    const { url } = await openReceiver(writeOneByte);
    const reply = await client.fetch(url, { idleTimeoutMs: 150 });
    await expect(text(reply.body)).rejects.toMatchObject({ message: 'the response stalled' });
  });

  test('end a call whose body is too long', async () => {
    const { url } = await openReceiver((_request, response) => response.end(Buffer.alloc(100_000)));
    const reply = await client.fetch(url, { maxReplyBytes: 99_999 });
    await expect(buffer(reply.body)).rejects.toMatchObject({ failure: 'too_large' });
    const wholeReply = await client.fetch(url, { maxReplyBytes: 100_000 });
    expect(await buffer(wholeReply.body)).toHaveLength(100_000);
  });

  test('end a call when its signal is aborted', async () => {
    const { url, waitForRequests } = await openReceiver(neverRespond);
    const abort = new AbortController();
    const call = client.fetch(url, { signal: abort.signal });
    const rejection = expect(call).rejects.toMatchObject({ failure: 'aborted' });
    await waitForRequests(1);
    abort.abort();
    await rejection;
  });

  test('close the connection of a body that is destroyed before its end', async () => {
    let onClose: (isComplete: boolean) => void = () => undefined;
    const closedPromise = new Promise<boolean>((resolve) => (onClose = resolve));
    const { url } = await openReceiver((request, response) => {
      response.on('close', () => onClose(response.writableFinished));
      respondSlowly(request, response);
    });
    const reply = await client.fetch(url);
    reply.body.destroy();
    expect(await closedPromise).toBe(false);
  });
});

describe('a call fails', () => {
  test.each<[string, string, string]>([
    ['is not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 'malformed'],
    ['is empty', '', 'interrupted'],
    ['ends in its headers', 'HTTP/1.1 200 OK\r\ncontent-le', 'interrupted'],
    ['has headers without end', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}`, 'too_large'],
  ])('if the response %s', async (_name, bytes, failure) => {
    const url = await startRawServer((socket) => socket.end(bytes));
    await expect(client.fetch(url)).rejects.toMatchObject({ failure });
  });

  test.each([
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello', 'malformed'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello', 'interrupted'],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n', 'interrupted'],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\na\r\nhello', 'interrupted'],
    ['HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 10\r\n\r\nhello', 'interrupted'],
    [
      'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n',
      'interrupted',
    ],
    ['HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\na\r\nhello', 'interrupted'],
    ['HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\na\r\nhello', 'interrupted'],
    ['HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello', 'malformed'],
  ])('if the body is truncated or has an invalid chunk length: %j', async (bytes, failure) => {
    const url = await startRawServer((socket) => socket.end(bytes));
    await expect(client.fetch(url).then(({ body }) => text(body))).rejects.toMatchObject({ failure });
  });

  test('if the server has no TLS', async () => {
    const { port } = await openReceiver();
    await expect(client.fetch(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ failure: 'tls' });
  });

  test('if the certificate is not trusted', async () => {
    const server = await startTlsReceiver();
    cleanups.push(() => server.close());
    await expect(client.fetch(server.url)).rejects.toMatchObject({
      failure: 'tls',
      message:
        'no TLS connection to the receiver: its certificate is self-signed; use one from a public certificate authority (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
    expect(server.requestCount()).toBe(0);
  });

  test.each([
    [{ method: 'GET / HTTP/1.1\r\nX:' }],
    [{ headers: { 'x-a': 'b\r\nc: d' } }],
    [{ headers: { 'bad name': 'x' } }],
    [{ headers: { host: 'elsewhere' } }],
  ])('without a request if the method or headers are invalid: %j', async (request) => {
    const { url, received } = await openReceiver();
    await expect(client.fetch(url, request)).rejects.toMatchObject({ failure: 'bad_request' });
    expect(received).toEqual([]);
  });
});

describe('calls to the public addresses of the service', () => {
  const resolve: Resolve = (name) => {
    const address = { 'live.example': '8.8.4.4', 'alias.example': '8.8.4.4' }[name];
    return address === undefined ? Promise.reject(unknownName) : Promise.resolve([{ address, family: 4 }]);
  };
  const unknownName = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
  const failureOf = (url: string) =>
    openClient({ allowCidrs: [], ownHosts: ['live.example'], resolve })
      .fetch(url)
      .then(
        () => null,
        (error: unknown) => error as EgressError,
      );

  test.each(['http://live.example/', 'http://alias.example/', 'http://8.8.4.4/'])(
    'are denied: %s',
    async (url) => {
      const cause = expect.any(EgressDeniedError) as unknown;
      expect(await failureOf(url)).toMatchObject({ failure: 'unreachable', cause });
    },
  );

  test('fail with the same message as calls to an unknown name', async () => {
    const ownNameError = await failureOf('http://live.example/');
    const unknownNameError = await failureOf('http://no.example/');
    const { message, failure } = unknownNameError ?? {};
    expect(ownNameError).toMatchObject({ message, failure });
  });
});
