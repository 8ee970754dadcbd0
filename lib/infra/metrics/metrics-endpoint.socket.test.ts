import { once } from 'node:events';
import { request, type OutgoingHttpHeaders, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { createHttpServer } from '@/lib/infra/http-server';
import { createLogger } from '@/lib/infra/logger';
import { createMetricsEndpoint } from './metrics-endpoint';

const token = 'a token of sixteen characters';
const servers: Server[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

/**
 * Starts a server with the endpoint.
 * @param metricsToken METRICS_TOKEN
 * @returns its port
 */
async function startEndpoint(
  metricsToken: string | undefined,
  text = () => Promise.resolve('headwater_viewers 1\n'),
) {
  const withMetricsEndpoint = createMetricsEndpoint({
    token: metricsToken,
    text,
    log: createLogger('test', 'silent'),
  });
  const handler = withMetricsEndpoint((_request, response) => response.writeHead(404).end('not here'));
  const limits = { maxConnections: 100, requestTimeoutMs: 60_000, trustedProxies: ['127.0.0.0/8'] };
  const server = createHttpServer(handler, limits);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function get(port: number, headers: OutgoingHttpHeaders = {}, { method = 'GET', path = '/metrics' } = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      const outgoing = request(
        { host: '127.0.0.1', port, method, path, headers, agent: false },
        (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
          response.once('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          );
        },
      );
      outgoing.once('error', reject).end();
    },
  );
}

describe('with METRICS_TOKEN', async () => {
  const port = await startEndpoint(token);

  test('the endpoint answers clients with the token, even through a proxy', async () => {
    const { status, headers, body } = await get(port, {
      authorization: `Bearer ${token}`,
      host: 'video.example.com',
      'x-forwarded-for': '203.0.113.7',
    });
    expect([status, body]).toEqual([200, 'headwater_viewers 1\n']);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  test.each([
    ['no token', {}],
    ['another token', { authorization: 'Bearer a token of sixteen charactERS' }],
    ['a prefix of the token', { authorization: 'Bearer a token' }],
    ['another scheme', { authorization: `Basic ${Buffer.from(token).toString('base64')}` }],
  ])('the endpoint rejects local clients without the right token: %s', async (_what, requestHeaders) => {
    const { status, headers, body } = await get(port, requestHeaders);
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(body).not.toContain('headwater_viewers');
  });

  test('responses to HEAD have no body, and other methods and paths are passed on', async () => {
    const authorization = `Bearer ${token}`;
    expect(await get(port, { authorization }, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    expect(await get(port, { authorization }, { path: '/metrics?x=1' })).toMatchObject({ status: 200 });
    expect(await get(port, { authorization }, { method: 'POST' })).toMatchObject({ status: 404 });
    expect(await get(port, { authorization }, { path: '/metrics/x' })).toMatchObject({ status: 404 });
  });
});

describe('without METRICS_TOKEN', async () => {
  const port = await startEndpoint(undefined);

  test('the endpoint answers local clients', async () => {
    expect(await get(port)).toMatchObject({ status: 200, body: 'headwater_viewers 1\n' });
  });

  test.each([
    ['a proxy that names its client', { 'x-forwarded-for': '203.0.113.7' }],
    ['a client that claims to be this machine', { 'x-forwarded-for': '127.0.0.1' }],
    ['a proxy that passes the host on', { host: 'video.example.com' }],
  ])('the endpoint is hidden from %s', async (_who, headers) => {
    expect(await get(port, headers)).toMatchObject({ status: 404, body: 'not here' });
  });

  test('the endpoint is hidden from the client of a balancer with PROXY headers', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'PROXY TCP4 203.0.113.7 127.0.0.1 40000 80\r\nGET /metrics HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n',
    );
    let responseText = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (responseText += chunk));
    await once(socket, 'close');
    expect(responseText).toMatch(/^HTTP\/1\.1 404 /);
  });
});

test('the endpoint responds with 503 if the metrics cannot be collected', async () => {
  const port = await startEndpoint(token, () => Promise.reject(new Error('timed out')));
  const { status, headers } = await get(port, { authorization: `Bearer ${token}` });
  expect([status, headers['retry-after']]).toEqual([503, '5']);
});
