import { connect } from 'node:net';
import { expect, test, type APIRequestContext } from '@playwright/test';
import { makeAccount } from '../accounts';

// HTTP behavior that needs a running server: sign-in with a cookie, and raw requests.

const baseUrl = process.env.BASE_URL ?? 'http://localhost:3000';
let email: string;
let password: string;
let apiKey: string;

async function signIn(request: APIRequestContext, enteredPassword: string) {
  const { csrfToken } = (await (await request.get('/api/auth/csrf')).json()) as { csrfToken: string };
  const form = {
    csrfToken,
    email,
    password: enteredPassword,
    json: 'true',
    // The service must not redirect to another origin.
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

test('a sign-in sets an HttpOnly cookie and ignores a callback URL of another origin, and writes with the cookie need the origin of the service', async ({
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

test('a sign-in form of 50 kB is rejected with 413', async ({ request }) => {
  const largeFormResponse = await request.post('/api/auth/callback/credentials', {
    form: { email: 'x'.repeat(50_000) },
  });
  expect(largeFormResponse.status()).toBe(413);
});

test('a request to an unknown sign-in path gets an error in the format of the API', async ({ request }) => {
  const unknownPathResponse = await request.get('/api/auth/nothing');
  expect(unknownPathResponse.status()).toBe(400);
  expect(await unknownPathResponse.json()).toMatchObject({ errors: ['not a sign-in request'] });
});

test('after five wrong passwords, the sixth attempt gets the message to try again in 15 minutes', async ({
  request,
}) => {
  const errors: string[] = [];
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const { url } = (await (await signIn(request, 'a guess')).json()) as { url: string };
    errors.push(new URL(url).searchParams.get('error') ?? '');
  }
  // The first attempts may have used up most of a minute.
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
    // 400: encoded dot segments are rejected before the path is parsed. 401: the spelling is normalized to the endpoint,
    // which requires a key. 404: no endpoint has this path.
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

/** Creates the head of a request that creates a stream. Each additional header line ends with CRLF. */
const createRequestHead = (extraHeaders: string) =>
  `POST /api/stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n${extraHeaders}\r\n`;

test('a chunked body is accepted, malformed bodies get 400, too large bodies 413, and a repeated Authorization header causes no server error', async () => {
  // The chunk has 15 bytes: the hexadecimal length `e` is wrong, and `f` is right.
  expect(
    await sendRaw(`${createRequestHead('Transfer-Encoding: chunked\r\n')}e\r\n{"name":"wire"}\r\n0\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 400/);
  expect(
    await sendRaw(`${createRequestHead('Transfer-Encoding: chunked\r\n')}f\r\n{"name":"wire"}\r\n0\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 201/);
  // Both bodies are larger than the limit of 100 kB: the first with Content-Length, the second in 12 chunks of 10 kB.
  expect(
    await sendRaw(`${createRequestHead('Content-Length: 200000\r\n')}{"name":"${'x'.repeat(199_988)}"}`),
  ).toMatch(/^HTTP\/1\.1 413/);
  const chunk = `${(10_000).toString(16)}\r\n${'x'.repeat(10_000)}\r\n`;
  expect(
    await sendRaw(`${createRequestHead('Transfer-Encoding: chunked\r\n')}${chunk.repeat(12)}0\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 413/);
  // Requests with both headers are a means of request smuggling (RFC 9112, section 6.1).
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

test('scripts of other origins may read the OpenAPI document', async ({ request }) => {
  const response = await request.get('/api/openapi.json', { headers: { origin: 'https://tools.example' } });
  expect(response.headers()['access-control-allow-origin']).toBe('https://tools.example');
});
