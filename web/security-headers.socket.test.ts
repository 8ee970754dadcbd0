import { createServer, request as sendRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createPagePolicy, withSecurityHeaders } from './security-headers';

const publicUrls = {
  baseUrl: 'http://localhost:3000',
  cdnUrl: 'http://media.example:8080/live',
  uploadUrl: 'https://upload.example',
};

let server: Server | undefined;
afterEach(() => server?.close());

/**
 * Sends a request to a server with the security headers.
 * @returns the response headers, and the request headers that Next receives
 */
async function call(path: string, headers: Record<string, string> = {}, pageUrls = publicUrls) {
  let receivedHeaders: IncomingHttpHeaders = {};
  const listener = withSecurityHeaders((request, response) => {
    receivedHeaders = request.headers;
    response.end();
  }, pageUrls);
  server?.close();
  server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { headers: response.headers, receivedHeaders };
}

/** One directive of a Content-Security-Policy, with its name; undefined if the policy lacks it. */
const findDirective = (policy: string | null, name: string): string | undefined =>
  policy?.split('; ').find((part) => part.startsWith(`${name} `));

describe('a page', () => {
  test('only runs scripts with its nonce, which Next also receives', async () => {
    const { headers, receivedHeaders } = await call('/streams?q=1');
    const policy = headers.get('content-security-policy');
    const nonce = /'nonce-([\w+/=]{24})'/.exec(policy ?? '')?.[1];
    expect(nonce).toBeDefined();
    expect(findDirective(policy, 'script-src')).toBe(
      `script-src 'self' 'nonce-${String(nonce)}' 'strict-dynamic'`,
    );
    expect(receivedHeaders['x-nonce']).toBe(nonce);
    expect(receivedHeaders['content-security-policy']).toBe(policy);
  });

  test('has a new nonce for each request', async () => {
    const [first, second] = [await call('/'), await call('/')];
    expect(first.receivedHeaders['x-nonce']).not.toBe(second.receivedHeaders['x-nonce']);
  });

  test('ignores a nonce sent by the client', async () => {
    const { receivedHeaders } = await call('/', {
      'x-nonce': 'mine',
      'content-security-policy': "script-src 'nonce-mine'",
    });
    expect(JSON.stringify(receivedHeaders)).not.toContain('mine');
    const assetResult = await call('/_next/static/a.js', { 'x-nonce': 'mine' });
    expect(assetResult.receivedHeaders['x-nonce']).toBeUndefined();
    const apiResult = await call('/api/stream', { 'content-security-policy': "script-src 'nonce-mine'" });
    expect(apiResult.receivedHeaders['content-security-policy']).toBeUndefined();
  });

  test('only loads media from the origins of the service', () => {
    const policy = createPagePolicy(publicUrls)('n', false);
    expect(findDirective(policy, 'connect-src')).toBe(
      "connect-src 'self' http://media.example:8080 https://upload.example",
    );
    expect(findDirective(policy, 'media-src')).toBe("media-src 'self' blob: http://media.example:8080");
    expect(findDirective(policy, 'img-src')).toBe("img-src 'self' data: blob: http://media.example:8080");
    expect(policy).not.toContain('unsafe-eval');
    expect(findDirective(policy, 'script-src')).not.toContain('unsafe-inline');
  });
});

describe('frames', () => {
  test('can contain the embed on any site', async () => {
    const { headers } = await call('/embed/abcd?autoplay=1');
    expect(findDirective(headers.get('content-security-policy'), 'frame-ancestors')).toBe(
      'frame-ancestors *',
    );
    expect(headers.get('x-frame-options')).toBeNull();
  });

  test.each(['/', '/login', '/embed', '/embed/a/b', '/embedded/x', '/watch/abcd', '/Embed/abcd'])(
    'cannot contain %s',
    async (path) => {
      const { headers } = await call(path);
      expect(findDirective(headers.get('content-security-policy'), 'frame-ancestors')).toBe(
        "frame-ancestors 'none'",
      );
      expect(headers.get('x-frame-options')).toBe('DENY');
    },
  );
});

describe('camera, microphone and screen', () => {
  const policyOf = async (path: string) => (await call(path)).headers.get('permissions-policy');

  test.each(['/streams/abc/go-live', '/streams/abc/go-live/?_rsc=1'])('are allowed on %s', async (path) => {
    expect(await policyOf(path)).toBe(
      'camera=(self), microphone=(self), display-capture=(self), geolocation=(), payment=(), usb=(), serial=(), midi=()',
    );
  });

  test.each([
    '/streams/abc',
    '/streams/go-live',
    '/embed/go-live',
    '/streams/a/go-live/b',
    '/api/streams/a/go-live',
  ])('are not allowed on %s', async (path) => {
    expect(await policyOf(path)).toContain('camera=(), microphone=(), display-capture=(), ');
  });
});

describe('every response', () => {
  test.each(['/', '/api/stream', '/_next/static/a.js', '/embed/abcd'])(
    'of %s has the common security headers',
    async (path) => {
      const { headers } = await call(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('permissions-policy')).toContain('camera=()');
      expect(headers.get('strict-transport-security')).toBeNull();
    },
  );

  test('has HSTS if the base URL is https', async () => {
    const { headers } = await call('/', {}, { ...publicUrls, baseUrl: 'https://video.example' });
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  test('of the API forbids all content', async () => {
    const { headers, receivedHeaders } = await call('/api/stream');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(receivedHeaders['x-nonce']).toBeUndefined();
  });
});

test.each([
  '/embed/..',
  '/embed/../',
  '/embed/%2e%2e',
  '/embed/.%2E',
  '/embed\\..',
  '/embed/x/../../streams',
])('%s, sent with dot segments, cannot be framed by other sites', async (path) => {
  // `fetch` would resolve the dot segments, so the request is sent to the server that this call starts.
  await call('/');
  const { port } = server?.address() as AddressInfo;
  const headers = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
    // `fetch` would resolve the dot segments before it sends the request.
    const request = sendRequest({ port, host: '127.0.0.1', path, agent: false }, (response) => {
      response.resume();
      resolve(response.headers);
    });
    request.on('error', reject).end();
  });
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['x-frame-options']).toBe('DENY');
});
