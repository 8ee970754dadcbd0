import { afterAll, expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { readSettings } from '@/lib/infra/env';
import { createLogger } from '@/lib/infra/logger';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { createSecrets } from '@/lib/infra/secrets';
import { jsonAnswer, send } from './answer';
import { listenInternal, type InternalServer } from './listen-internal';

const APP_SECRET = 'the secret of this installation, in 40 letters';
const secrets = createSecrets(APP_SECRET);
const servers: InternalServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function startServer(
  environment: Readonly<Record<string, string>> = {},
  isReady?: () => boolean,
): Promise<InternalServer> {
  const settings = readSettings({ DATABASE_URL: 'postgres://localhost/x', APP_SECRET, ...environment });
  const ctx = { settings, secrets, clock: systemClock, log: createLogger('test', 'silent') };
  const server = await listenInternal(
    ctx,
    'live',
    (request, response) => send(response, jsonAnswer(200, { path: request.url })),
    {
      maxConnections: 10,
      ...(isReady ? { isReady } : {}),
      writes: { '/orders': (body) => Promise.resolve(jsonAnswer(200, { body })) },
    },
  );
  servers.push(server);
  return server;
}

function requestSigned(
  url: string,
  path: string,
  { appSecret = APP_SECRET, method = 'GET', signedPath = path } = {},
) {
  const signatures = createNodeSignatures(createSecrets(appSecret), systemClock);
  const headers = { [nodeSignatureHeader]: signatures.sign({ receiver: url, method, path: signedPath }) };
  return fetch(url + path, { method, headers });
}

test('only requests with a valid signature of this installation are accepted', async () => {
  const { url, port } = await startServer();
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect(await (await requestSigned(url, '/a/b?c=1')).json()).toEqual({ path: '/a/b?c=1' });
  const rejectedRequests = [
    fetch(`${url}/healthz`),
    requestSigned(url, '/a', { appSecret: 'the secret of another installation, 40 letters' }),
    requestSigned(url, '/a', { signedPath: '/b' }),
    fetch(`${url}/a`, { headers: { [nodeSignatureHeader]: 'x' } }),
  ];
  for (const answer of await Promise.all(rejectedRequests)) expect(answer.status).toBe(401);
  expect((await requestSigned(url, '/a', { method: 'POST' })).status).toBe(405);
});

test('load balancers need no signature for health and readiness probes', async () => {
  let isReady = false;
  const { url } = await startServer({}, () => isReady);
  const status = async (path: string, method = 'GET') => (await fetch(url + path, { method })).status;
  expect(await status('/livez')).toBe(200);
  expect(await status('/readyz')).toBe(503);
  isReady = true;
  expect(await status('/readyz')).toBe(200);
  expect(await status('/readyz', 'HEAD')).toBe(200);
  expect(await status('/readyz', 'POST')).toBe(401);
});

test('the URL for other nodes contains the address that the operator configured', async () => {
  const { url, port } = await startServer({
    INTERNAL_HOST: '0.0.0.0',
    INTERNAL_URL: 'http://node1.internal',
  });
  expect(url).toBe(`http://node1.internal:${port}`);
});

test('a POST request is accepted once, by the receiver and with the body that are signed', async () => {
  const [{ url }, otherServer] = [await startServer(), await startServer()];
  const signatures = createNodeSignatures(secrets, systemClock);
  const post = (body: string, signature: string, receiver = url) =>
    fetch(`${receiver}/orders`, { method: 'POST', body, headers: { [nodeSignatureHeader]: signature } });
  const signatureOf = (body: string) =>
    signatures.sign({ receiver: url, method: 'POST', path: '/orders', body: Buffer.from(body) });
  const signature = signatureOf('push');
  expect(await (await post('push', signature)).json()).toEqual({ body: 'push' });
  const rejectedRequests = [
    post('push', signature),
    post('push', signature, otherServer.url),
    post('stop', signatureOf('push')),
    post('push', ''),
    post('push', 'x'),
  ];
  for (const answer of await Promise.all(rejectedRequests)) expect(answer.status).toBe(401);
  expect((await requestSigned(url, '/orders', { method: 'PUT' })).status).toBe(405);
  const longBody = 'x'.repeat(20_000);
  expect((await post(longBody, signatureOf(longBody))).status).toBe(413);
});
