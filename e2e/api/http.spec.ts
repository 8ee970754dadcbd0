import { connect } from 'node:net';
import { expect, test, type APIRequestContext } from '@playwright/test';
import { makeAccount } from '../accounts';

// HTTP behavior that needs a running server: sign-in with a cookie, and raw requests.

const baseUrl = process.env.BASE_URL ?? 'http://localhost:3000';
let email: string;
let password: string;
let apiKey: string;

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
  const request = await playwright.request.newContext({
    baseURL: baseUrl,
    extraHTTPHeaders: { origin: baseUrl },
  });
  expect((await signIn(request, password)).status()).toBe(200);
  const keyResponse = await request.post('/api/dashboard/api-keys', { data: { name: 'wire' } });
  expect(keyResponse.status()).toBe(201);
  ({ secret: apiKey } = (await keyResponse.json()) as { secret: string });
  await request.dispose();
});

test('a sign-in sets an HttpOnly cookie, and writes with the cookie are rejected without the origin of the service', async ({
  request,
}) => {
  const rejectedSignIn = await signIn(request, 'not the password');
  expect(rejectedSignIn.status()).toBe(401);
  expect((await request.get('/api/user/me')).status()).toBe(401);

  const acceptedSignIn = await signIn(request, password);
  expect(((await acceptedSignIn.json()) as { url: string }).url).toBe(`${baseUrl}/`);
  const cookie = acceptedSignIn
    .headersArray()
    .find(({ name, value }) => name.toLowerCase() === 'set-cookie' && value.includes('session-token'));
  expect(cookie?.value).toMatch(/HttpOnly; SameSite=Lax/);

  expect(((await (await request.get('/api/user/me')).json()) as { email: string }).email).toBe(email);
  const createStream = (headers: Record<string, string>) =>
    request.post('/api/stream', { data: { name: 'x' }, headers });
  expect((await createStream({})).status()).toBe(403);
  expect((await createStream({ origin: 'https://evil.example' })).status()).toBe(403);
  expect((await createStream({ origin: baseUrl })).status()).toBe(201);

  const { csrfToken } = (await (await request.get('/api/auth/csrf')).json()) as { csrfToken: string };
  expect((await request.post('/api/auth/signout', { form: { csrfToken, json: 'true' } })).status()).toBe(200);
  expect((await request.get('/api/user/me')).status()).toBe(401);
});

test('large sign-in forms are rejected', async ({ request }) => {
  const largeFormResponse = await request.post('/api/auth/callback/credentials', {
    form: { email: 'x'.repeat(50_000) },
  });
  expect(largeFormResponse.status()).toBe(413);
});

test('unknown sign-in paths get an error in the format of the API', async ({ request }) => {
  const unknownPathResponse = await request.get('/api/auth/nothing');
  expect(unknownPathResponse.status()).toBe(400);
  expect(await unknownPathResponse.json()).toMatchObject({ errors: ['not a sign-in request'] });
});

test('after five wrong passwords, further attempts are blocked with a message', async ({ request }) => {
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
    // Encoded dot segments are rejected before the path is parsed. The client itself resolves plain dot segments.
    expect([400, 401, 404]).toContain(response.status());
  }
  // With this header, old versions of Next.js skip the middleware that checks requests (CVE-2025-29927).
  const subrequestResponse = await request.get('/api/user/me', {
    headers: { 'x-middleware-subrequest': 'middleware:middleware:middleware' },
  });
  expect(subrequestResponse.status()).toBe(401);
});

/**
 * Sends raw bytes.
 * @returns the bytes received until the connection closes or no data arrives for 15 s
 */
async function sendRaw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port || 80) });
  let responseText = '';
  socket.setTimeout(15_000, () => socket.destroy());
  socket.on('data', (chunk) => {
    responseText += chunk.toString('latin1');
  });
  socket.write(bytes, 'latin1');
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
  });
  return responseText;
}

const createRequestHead = (extra: string) =>
  `POST /api/stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n${extra}\r\n`;

test('chunked bodies are accepted, and malformed, too large and ambiguous requests cause no server error', async () => {
  // The chunk has 15 bytes: `e` is a wrong length, `f` the right one.
  expect(
    await sendRaw(`${createRequestHead('Transfer-Encoding: chunked\r\n')}e\r\n{"name":"wire"}\r\n0\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 400/);
  expect(
    await sendRaw(`${createRequestHead('Transfer-Encoding: chunked\r\n')}f\r\n{"name":"wire"}\r\n0\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 201/);
  expect(
    await sendRaw(`${createRequestHead('Content-Length: 200000\r\n')}{"name":"${'x'.repeat(199_988)}"}`),
  ).toMatch(/^HTTP\/1\.1 413/);
  const chunk = `${(10_000).toString(16)}\r\n${'x'.repeat(10_000)}\r\n`;
  expect(
    await sendRaw(`${createRequestHead('Transfer-Encoding: chunked\r\n')}${chunk.repeat(12)}0\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 413/);
  expect(
    await sendRaw(
      `${createRequestHead('Content-Length: 15\r\nTransfer-Encoding: chunked\r\n')}f\r\n{"name":"wire"}\r\n0\r\n\r\n`,
    ),
  ).toMatch(/^HTTP\/1\.1 400/);
  expect(
    await sendRaw(
      `${createRequestHead(`Authorization: Bearer ${apiKey}\r\nContent-Length: 15\r\n`)}{"name":"wire"}`,
    ),
  ).not.toMatch(/^HTTP\/1\.1 5/);
});

test('the health check responds with 200', async ({ request }) => {
  // Each part of the health check has a timeout of one second, which a busy machine can exceed.
  await expect.poll(async () => (await request.get('/api/healthz')).status()).toBe(200);
});

test('other origins may read the OpenAPI document', async ({ request }) => {
  const document = await request.get('/api/openapi.json', { headers: { origin: 'https://tools.example' } });
  expect(document.headers()['access-control-allow-origin']).toBe('https://tools.example');
});
