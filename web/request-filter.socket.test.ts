import { createServer, request as send, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { dialectHeader } from '@/lib/core/studio-dialect';
import { createRequestFilter } from './request-filter';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request through the filter. The path is sent unchanged, unlike with `fetch`. */
async function call(
  path: string,
  { method = 'GET', headers = {}, trusted = [] as string[] } = {},
): Promise<Reply> {
  const next = createRequestFilter(({ url = '', headers: receivedHeaders }, response) => {
    response.setHeader('seen', `${url} ${String(receivedHeaders[dialectHeader] ?? '-')}`);
    response.end(`next saw ${String(receivedHeaders['x-forwarded-for'])}`);
  }, trusted);
  const server = createServer(next).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    send({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe('invalid requests', () => {
  test.each(['/api/stream/%ff', '/%', '/%zz', '/api/stream/%c3%28/x?y=1'])(
    'with the undecodable path %s are rejected',
    async (path) => {
      const { status, headers, body } = await call(path);
      expect(status).toBe(400);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(JSON.parse(body)).toEqual({ errors: [expect.stringContaining('malformed')] });
    },
  );

  test.each(['TRACE', 'PROPFIND'])(
    'with the method %s are rejected with the allowed methods',
    async (method) => {
      const { status, headers } = await call('/api/stream', { method });
      expect(status).toBe(405);
      expect(headers.allow).toContain('PATCH');
    },
  );

  test.each([
    '/embed/..', '/embed/../', '/embed/%2e%2e', '/embed/.%2E?x=1', '/embed/%2e', '/./embed/abc', '/../streams',
    '/embed/..%2fstreams', '/embed/..%5cstreams', '/embed/..\\', '/embed\\..\\', '/api/stream/..', '/..#x',
  ])('with dot segments are rejected: %s', async (path) => {
    const { status, body } = await call(path);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toEqual({ errors: [expect.stringContaining('path segments')] });
  }); // prettier-ignore

  test.each(['/embed/..a', '/a..b/.well-known/x', '/x?path=/../y', '/...'])(
    'do not include %s',
    async (path) => {
      expect((await call(path)).status).toBe(200);
    },
  );

  test.each(['/api/stream/%ff', '/api/stream/..'])(
    'are rejected so that web pages can read the error: %s',
    async (path) => {
      const { headers } = await call(path, { headers: { origin: 'https://page.example' } });
      expect([headers['access-control-allow-origin'], headers.vary]).toEqual([
        'https://page.example',
        'Origin',
      ]);
      expect((await call(path)).headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  test('with a malformed state tree are rejected', async () => {
    const headers = { rsc: '1', 'next-router-state-tree': '%7B' };
    const { status, body } = await call('/streams', { headers });
    expect(status).toBe(400);
    expect(JSON.parse(body)).toEqual({ errors: ['Next-Router-State-Tree: is malformed. Reload the page'] });
  });

  test('with an absolute URL are rejected', async () => {
    expect((await call('http://elsewhere.example/')).status).toBe(400);
  });
});

describe('X-Forwarded-For', () => {
  const forgedHeaders = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' };

  test('is replaced with the address of the socket for clients that are not trusted', async () => {
    expect((await call('/', { headers: forgedHeaders })).body).toBe('next saw 127.0.0.1');
    expect((await call('/')).body).toBe('next saw 127.0.0.1');
  });

  test('is replaced with the address that a trusted proxy added', async () => {
    const trusted = ['127.0.0.0/8'];
    expect((await call('/', { headers: forgedHeaders, trusted })).body).toBe('next saw 203.0.113.7');
    expect((await call('/', { trusted })).body).toBe('next saw 127.0.0.1');
  });

  test('non-ASCII paths pass', async () => {
    expect((await call('/api/stream/%C3%A4%20b?x=%ff')).status).toBe(200);
  });
});

test('/api/studio is rewritten to /api with a header that clients cannot forge', async () => {
  const forgedHeaders = { [dialectHeader]: 'studio' };
  const receivedUrl = async (path: string) => (await call(path, { headers: forgedHeaders })).headers['seen'];
  expect(await receivedUrl('/api/studio/stream?limit=1')).toBe('/api/stream?limit=1 studio');
  expect(await receivedUrl('/api/stream?limit=1')).toBe('/api/stream?limit=1 -');
  expect(await receivedUrl('/api/studio/auth/session')).toBe('/api/studio/auth/session -');
});
