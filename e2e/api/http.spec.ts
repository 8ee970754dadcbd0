import { connect } from 'node:net';
import { expect, test, type APIRequestContext } from '@playwright/test';
import { makeAccount } from '../accounts';

/** Behavior that needs a running server: sign-in with its cookie, and raw HTTP below the handlers. */

const base = process.env.BASE_URL ?? 'http://localhost:3000';
let email: string;
let password: string;
let key: string;

async function signIn(request: APIRequestContext, secret: string) {
  const { csrfToken } = (await (await request.get('/api/auth/csrf')).json()) as { csrfToken: string };
  const form = {
    csrfToken,
    email,
    password: secret,
    json: 'true',
    callbackUrl: 'https://evil.example/phish',
  };
  return request.post('/api/auth/callback/credentials', { form });
}

test.beforeAll(async ({ playwright }) => {
  ({ email, password } = await makeAccount());
  const request = await playwright.request.newContext({ baseURL: base, extraHTTPHeaders: { origin: base } });
  expect((await signIn(request, password)).status()).toBe(200);
  const keyResponse = await request.post('/api/dashboard/api-keys', { data: { name: 'wire' } });
  expect(keyResponse.status()).toBe(201);
  ({ secret: key } = (await keyResponse.json()) as { secret: string });
  await request.dispose();
});

test('the session cookie is ours, hidden from scripts, and only sent to our own pages', async ({
  request,
}) => {
  const rejectedSignIn = await signIn(request, 'not the password');
  expect(rejectedSignIn.status()).toBe(401);
  expect((await request.get('/api/user/me')).status()).toBe(401);

  const acceptedSignIn = await signIn(request, password);
  expect(((await acceptedSignIn.json()) as { url: string }).url).toBe(`${base}/`);
  const cookie = acceptedSignIn
    .headersArray()
    .find(({ name, value }) => name.toLowerCase() === 'set-cookie' && value.includes('session-token'));
  expect(cookie?.value).toMatch(/HttpOnly; SameSite=Lax/);

  expect(((await (await request.get('/api/user/me')).json()) as { email: string }).email).toBe(email);
  const create = (headers: Record<string, string>) =>
    request.post('/api/stream', { data: { name: 'x' }, headers });
  expect((await create({})).status()).toBe(403);
  expect((await create({ origin: 'https://evil.example' })).status()).toBe(403);
  expect((await create({ origin: base })).status()).toBe(201);

  const { csrfToken } = (await (await request.get('/api/auth/csrf')).json()) as { csrfToken: string };
  expect((await request.post('/api/auth/signout', { form: { csrfToken, json: 'true' } })).status()).toBe(200);
  expect((await request.get('/api/user/me')).status()).toBe(401);
});

test('sign-in forms are rate limited, and unknown next-auth paths are refused in the format of our API', async ({
  request,
}) => {
  const large = await request.post('/api/auth/callback/credentials', { form: { email: 'x'.repeat(50_000) } });
  expect(large.status()).toBe(413);
  const unknown = await request.get('/api/auth/nothing');
  expect(unknown.status()).toBe(400);
  expect(await unknown.json()).toMatchObject({ errors: ['not a sign-in request'] });
});

test('five wrong passwords lock the address out, with a message', async ({ request }) => {
  const errors: string[] = [];
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const { url } = (await (await signIn(request, 'a guess')).json()) as { url: string };
    errors.push(new URL(url).searchParams.get('error') ?? '');
  }
  expect(errors.at(-1)).toMatch(/^Too many attempts to log in\. Try again in 1[45] minutes$/);
});

test('alternative spellings of an endpoint do not bypass its rules', async ({ request }) => {
  for (const path of [
    '/api//stream',
    '/api/stream/',
    '/api/stream;x',
    '/api/%73tream',
    '/api/stream/%2e%2e/stream',
    '/api/stream/..%2fstream',
    '/API/stream',
  ]) {
    const response = await request.get(path, { headers: { 'x-http-method-override': 'POST' } });
    // Hidden dot segments are refused before the path is parsed. The client itself resolves plain dot segments.
    expect([400, 401, 404]).toContain(response.status());
  }
  const inner = await request.get('/api/user/me', {
    headers: { 'x-middleware-subrequest': 'middleware:middleware:middleware' },
  });
  expect(inner.status()).toBe(401);
});

/** Sends raw bytes and returns the response bytes that arrive before the connection closes or goes quiet. */
async function wire(bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port || 80) });
  let answer = '';
  socket.setTimeout(15_000, () => socket.destroy());
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  socket.write(bytes, 'latin1');
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
  });
  return answer;
}

const head = (extra: string) =>
  `POST /api/stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${extra}\r\n`;

test('request bodies: chunked, too large, interrupted, two lengths, two keys', async () => {
  expect(await wire(`${head('Transfer-Encoding: chunked\r\n')}e\r\n{"name":"wire"}\r\n0\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 400/,
  );
  expect(await wire(`${head('Transfer-Encoding: chunked\r\n')}f\r\n{"name":"wire"}\r\n0\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 201/,
  );
  expect(await wire(`${head('Content-Length: 200000\r\n')}{"name":"${'x'.repeat(199_988)}"}`)).toMatch(
    /^HTTP\/1\.1 413/,
  );
  const chunk = `${(10_000).toString(16)}\r\n${'x'.repeat(10_000)}\r\n`;
  expect(await wire(`${head('Transfer-Encoding: chunked\r\n')}${chunk.repeat(12)}0\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 413/,
  );
  expect(
    await wire(
      `${head('Content-Length: 15\r\nTransfer-Encoding: chunked\r\n')}f\r\n{"name":"wire"}\r\n0\r\n\r\n`,
    ),
  ).toMatch(/^HTTP\/1\.1 400/);
  expect(
    await wire(`${head(`Authorization: Bearer ${key}\r\nContent-Length: 15\r\n`)}{"name":"wire"}`),
  ).not.toMatch(/^HTTP\/1\.1 5/);
});

test('a healthy server reports that it is healthy', async ({ request }) => {
  // The health check allows its parts one second, which a busy machine can exceed.
  await expect.poll(async () => (await request.get('/api/healthz')).status()).toBe(200);
  const document = await request.get('/api/openapi.json', { headers: { origin: 'https://tools.example' } });
  expect(document.headers()['access-control-allow-origin']).toBe('https://tools.example');
});
