import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { formatApiKey } from '@/lib/core/access/api-key-format';
import { createErrorBody } from '@/lib/core/reasons/reason';
import { newKeyBody } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { hashAllRows } from './testing/all-rows';
import { startLiveNode } from './testing/live-node';
import { fillPath, makeExampleAsset, fillPathWithNewObjects } from './testing/owned-objects';
import {
  baseUrl,
  createSessionCookie,
  endpoints,
  openTestApi,
  successStatusesOf,
  suspend,
} from './testing/test-api';
import { chooseValues } from './testing/choose-values';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Access rules for every endpoint, generated from the registry. */
const api = openTestApi(await createTestDatabase());
const owner = await api.createPerson('owner');
const stranger = await api.createPerson('stranger');
/** The reader owns nothing and changes nothing. */
const reader = await api.createPerson('reader');
const suspended = await api.createPerson('suspended');
await suspend(api, suspended);
const deletedKey = await owner.newKey();
await api.services.db.apiKey.delete({ where: { id: deletedKey.id } });
Object.assign(api.services.settings, { operatorEmails: [owner.email] });
const page = 'https://page.example';
await makeExampleAsset(api, owner);
for (const path of ['session', 'task', 'webhook', 'multistream/target', 'access-control/signing-key']) {
  await fillPathWithNewObjects(api, owner, `/api/${path}/{id}`);
}
const node = await startLiveNode(api);
afterAll(() => node.close());

const stream = (await (
  await api.request('POST', '/api/stream', { key: owner.key, body: { name: 'of the owner' } })
).json()) as { id: string };

const corsKey = (await owner.newKey({ allowedOrigins: [page] })).secret;
const anyOriginKey = (await owner.newKey({ allowedOrigins: ['*'] })).secret;
const fullCorsKey = (await owner.newKey({ allowedOrigins: [page], fullAccess: true })).secret;
const backendFullKey = (await owner.newKey({ fullAccess: true })).secret;

const ownedPaths = new Map<string, string>();

/** The path and options of a call with a fixed object of the owner and a valid body. */
async function prepareOwnedCall(endpoint: Endpoint) {
  const path = ownedPaths.get(endpoint.path) ?? (await fillPathWithNewObjects(api, owner, endpoint.path));
  ownedPaths.set(endpoint.path, path);
  return { path, options: exampleOptionsOf(endpoint) };
}

function exampleOptionsOf({ example: { body } }: Endpoint) {
  return omitUndefined({ body });
}

async function statusOf(endpoint: Endpoint, options: Parameters<typeof api.request>[2]): Promise<number> {
  const { path, options: exampleOptions } = await prepareOwnedCall(endpoint);
  return (await api.request(endpoint.method, path, { ...exampleOptions, ...options })).status;
}

/** Hash of the rows of all teams, which a rejected call must not change. */
const hashRows = () => hashAllRows(api);

const protectedEndpoints = endpoints.filter(({ auth }) => auth !== 'public');
const keyEndpoints = endpoints.filter(({ auth }) => auth === 'key-or-session');
const withNames = (list: readonly Endpoint[]) => list.map((endpoint) => [endpoint.id, endpoint] as const);

/** Ids of all objects of the owner, at least one from each table. */
async function idsOfOwner(): Promise<string[]> {
  const { db } = api.services;
  const where = { teamId: owner.teamId };
  const select = { id: true };
  const rows = await Promise.all([
    db.stream.findMany({ where, select }),
    db.session.findMany({ where, select }),
    db.asset.findMany({ where, select }),
    db.task.findMany({ where, select }),
    db.webhook.findMany({ where, select }),
    db.multistreamTarget.findMany({ where, select }),
    db.apiKey.findMany({ where, select }),
    db.signingKey.findMany({ where, select }),
  ]);
  for (const list of rows) expect(list).not.toEqual([]);
  return rows.flatMap((list) => list.map(({ id }) => id)).sort();
}

/**
 * Calls an endpoint without an object in its path (a list, statistics or a creation) as another person, and expects no data
 * of the owner in the response and no change of the owner's objects.
 */
async function expectOwnDataOnly(endpoint: Endpoint): Promise<void> {
  const ids = await idsOfOwner();
  const secrets = [...ids, owner.teamId, owner.userId, owner.email];
  const otherPerson = endpoint.method === 'GET' ? reader : await api.createPerson('another');
  const session = { cookie: otherPerson.cookie, origin: baseUrl };
  const callers = endpoint.auth === 'key-or-session' ? [session, { key: otherPerson.key }] : [session];
  for (const caller of callers) {
    const options = { ...exampleOptionsOf(endpoint), ...caller };
    const response = await api.request(endpoint.method, endpoint.path, options);
    if (endpoint.operatorOnly) expect(response.status).toBe(403);
    const text = await response.text();
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
  expect(await idsOfOwner()).toEqual(ids);
}

describe.each(withNames(protectedEndpoints))('%s', (_, endpoint) => {
  beforeAll(async () => {
    await prepareOwnedCall(endpoint);
  });

  test('rejects a caller without a key or with a wrong one, whatever the path and body', async () => {
    const invalidKeys = [
      undefined,
      '',
      'garbage',
      formatApiKey(newKeyBody()),
      deletedKey.secret,
      `${owner.key}x`,
      owner.key.toLowerCase(),
      'x'.repeat(600),
    ];
    const rowsBefore = await hashRows();
    for (const key of chooseValues(invalidKeys, endpoint, 2)) {
      expect(await statusOf(endpoint, omitUndefined({ key }))).toBe(401);
      expect(await statusOf(endpoint, { ...omitUndefined({ key }), body: '{"broken' })).toBe(401);
    }
    expect(await hashRows()).toBe(rowsBefore);
  });

  test('rejects an Authorization header of another scheme, or with two keys', async () => {
    const { path, options } = await prepareOwnedCall(endpoint);
    const spellings = ['Basic abc', `Token ${owner.key}`, `Bearer ${owner.key}, Bearer ${owner.key}`];
    for (const authorization of chooseValues(spellings, endpoint)) {
      const response = await api.request(endpoint.method, path, { ...options, headers: { authorization } });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('rejects a suspended account', async () => {
    expect(await statusOf(endpoint, { key: suspended.key })).toBe(403);
    expect(await statusOf(endpoint, { cookie: suspended.cookie, origin: baseUrl })).toBe(403);
  });

  test('finds no objects of another team and does not change them', async () => {
    if (!endpoint.params) {
      await expectOwnDataOnly(endpoint);
      return;
    }
    const rowsBefore = await hashRows();
    const session = { cookie: stranger.cookie, origin: baseUrl };
    if (endpoint.operatorOnly) {
      expect(await statusOf(endpoint, session)).toBe(403);
      expect(await hashRows()).toBe(rowsBefore);
      return;
    }
    expect(await statusOf(endpoint, session)).toBe(404);
    if (endpoint.auth === 'key-or-session') expect(await statusOf(endpoint, { key: stranger.key })).toBe(404);
    const unknown = fillPath(endpoint.path, () => crypto.randomUUID());
    const response = await api.request(endpoint.method, unknown, {
      ...exampleOptionsOf(endpoint),
      ...session,
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ errors: ['not found'] });
    expect(await hashRows()).toBe(rowsBefore);
  });

  test('rejects a sign-in session from pages of other sites, and one that is forged, ended or expired', async () => {
    const { cookie } = owner;
    const rowsBefore = await hashRows();
    expect(await statusOf(endpoint, { cookie, origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf(endpoint, { cookie, origin: 'null' })).toBe(403);
    if (endpoint.method !== 'GET') expect(await statusOf(endpoint, { cookie })).toBe(403);
    expect(await hashRows()).toBe(rowsBefore);
    const forgedCookies = [
      '',
      'next-auth.session-token=x',
      cookie.slice(0, -2),
      `${cookie}; x=y`.replace('eyJ', 'eyj'),
    ];
    for (const forgedCookie of chooseValues(forgedCookies, endpoint))
      expect(await statusOf(endpoint, { cookie: forgedCookie, origin: baseUrl })).toBe(401);
    // The account has the session version 0.
    const endedCookie = await createSessionCookie(api.services, owner.teamId, { sessionVersion: 1 });
    expect(await statusOf(endpoint, { cookie: endedCookie, origin: baseUrl })).toBe(401);
    // A sign-in session ends after seven days.
    const expiredCookie = await createSessionCookie(api.services, owner.teamId, {
      signedInAt: Date.now() - 8 * 86_400_000,
    });
    expect(await statusOf(endpoint, { cookie: expiredCookie, origin: baseUrl })).toBe(401);
  });
});

describe.each(withNames(endpoints.filter(({ auth }) => auth === 'session')))('%s', (_, endpoint) => {
  test('is rejected for API keys', async () => {
    for (const key of chooseValues([owner.key, backendFullKey], endpoint))
      expect(await statusOf(endpoint, { key })).toBe(403);
  });
});

/** The path and options of a call with a new object, so that endpoints that delete always find one. */
async function prepareNewCall(endpoint: Endpoint) {
  return {
    path: await fillPathWithNewObjects(api, owner, endpoint.path),
    options: exampleOptionsOf(endpoint),
  };
}

describe.each(withNames(keyEndpoints))('%s with keys of each kind', (_, endpoint) => {
  const callWithKey = async (key: string, origin?: string) => {
    const startedAt = new Date();
    const { path, options } = await prepareNewCall(endpoint);
    const response = await api.request(endpoint.method, path, {
      ...options,
      key,
      ...omitUndefined({ origin }),
    });
    // A team can have 50 webhooks: those that this call created are deleted.
    await api.services.db.webhook.deleteMany({
      where: { teamId: owner.teamId, createdAt: { gte: startedAt } },
    });
    return {
      status: response.status,
      allowedOrigin: response.headers.get('access-control-allow-origin'),
      response,
    };
  };
  const success: unknown = expect.toBeOneOf([...successStatusesOf(endpoint)]);

  test('a secret key works without an Origin header, and never with one', async () => {
    for (const key of chooseValues([owner.key, backendFullKey], endpoint)) {
      expect(await callWithKey(key)).toMatchObject({ status: success, allowedOrigin: null });
      for (const origin of chooseValues([page, 'null', baseUrl], endpoint)) {
        const response = await callWithKey(key, origin);
        expect(response).toMatchObject({ status: 403, allowedOrigin: origin });
        expect(await response.response.json()).toMatchObject({
          errors: [`credential disallows CORS access from origin ${origin}`],
        });
      }
    }
  });

  test('a browser key works on its allowed endpoints, from its origins and from servers', async () => {
    const expected = endpoint.corsKeyAllowed ? success : 403;
    expect(await callWithKey(corsKey)).toMatchObject({ status: expected, allowedOrigin: null });
    for (const origin of chooseValues([page, 'HTTPS://PAGE.example:443'], endpoint)) {
      expect(await callWithKey(corsKey, origin)).toMatchObject({ status: expected, allowedOrigin: origin });
    }
    const foreignOrigins = [
      'https://other.example',
      'http://page.example',
      `${page}:8443`,
      `${page}.evil`,
      'null',
    ];
    for (const origin of chooseValues(foreignOrigins, endpoint)) {
      expect(await callWithKey(corsKey, origin)).toMatchObject({ status: 403, allowedOrigin: origin });
    }
    for (const origin of chooseValues(['https://other.example', 'null'], endpoint)) {
      expect(await callWithKey(anyOriginKey, origin)).toMatchObject({
        status: expected,
        allowedOrigin: origin,
      });
    }
  });

  test('a browser key with full access works from its origins only', async () => {
    expect(await callWithKey(fullCorsKey, page)).toMatchObject({ status: success, allowedOrigin: page });
    const other = 'https://other.example';
    expect(await callWithKey(fullCorsKey, other)).toMatchObject({ status: 403, allowedOrigin: other });
  });

  test('a web page can read why it is rejected, and nothing else', async () => {
    const { secret, id } = await owner.newKey({ allowedOrigins: [page] });
    await api.services.db.apiKey.update({ where: { id }, data: { expiresAt: new Date(0) } });
    const changedSecret = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
    const origin = 'https://other.example';
    const keys: [string | undefined, number][] = [
      [undefined, 401],
      ['x', 401],
      [changedSecret, 401],
      [secret, 401],
      [owner.key, 403],
      [corsKey, 403],
    ];
    const { path, options } = await prepareOwnedCall(endpoint);
    for (const [key, status] of chooseValues(keys, endpoint, 2)) {
      const keyOptions = omitUndefined({ key });
      const response = await api.request(endpoint.method, path, { ...options, ...keyOptions, origin });
      const { headers } = response;
      expect([response.status, headers.get('access-control-allow-origin')]).toEqual([status, origin]);
      expect(headers.get('vary')).toContain('Origin');
      const body = (await response.json()) as { errors: string[] };
      expect(body).toEqual(createErrorBody(body.errors));
    }
  });

  test('a restricted key is rejected before ids and bodies are validated', async () => {
    const path = fillPath(endpoint.path, () => 'no-id');
    const response = await api.request(endpoint.method, path, {
      key: corsKey,
      origin: page,
      ...(endpoint.body ? { body: '{"broken' } : {}),
    });
    expect(response.status).toBe(endpoint.corsKeyAllowed ? (endpoint.params ? 404 : 400) : 403);
    expect(response.headers.get('access-control-allow-origin')).toBe(page);
    expect(response.headers.get('vary')).toContain('Origin');
  });
});

test('a key works with the scheme in any letter case, and is not in the response headers', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const response = await api.request('GET', '/api/user/me', {
      headers: { authorization: `${scheme} ${owner.key}` },
    });
    expect(response.status).toBe(200);
    expect(JSON.stringify([...response.headers])).not.toContain(owner.key);
  }
});

test('a deleted key is rejected on the next request', async () => {
  const { id, secret } = await owner.newKey();
  expect((await api.request('GET', '/api/user/me', { key: secret })).status).toBe(200);
  await api.request('DELETE', `/api/dashboard/api-keys/${id}`, { cookie: owner.cookie, origin: baseUrl });
  expect((await api.request('GET', '/api/user/me', { key: secret })).status).toBe(401);
});

describe('every path', () => {
  const paths = [...new Set(endpoints.map(({ path }) => path)), '/api/nothing/here'];

  test.each(paths)('OPTIONS %s gets the response to a preflight without a key', async (path) => {
    const preflight = {
      origin: page,
      headers: {
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,x-own',
      },
    };
    const response = await api.request(
      'OPTIONS',
      fillPath(path, () => 'x'),
      preflight,
    );
    expect(response.status).toBe(204);
    const header = (name: string) => response.headers.get(`access-control-${name}`);
    expect(header('allow-origin')).toBe(page);
    expect(header('allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
    expect(header('allow-headers')).toBe('authorization, content-type, idempotency-key, x-request-id, x-own');
    expect(header('max-age')).toBe('600');
    expect(header('allow-credentials')).toBeNull();
    expect(response.headers.get('vary')).toBe(
      'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    );
  });

  test.each(paths)('%s lists its methods in the response to any other method', async (path) => {
    const methodsOfPath: string[] = endpoints
      .filter((endpoint) => endpoint.path === path)
      .map(({ method }) => method);
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (methodsOfPath.includes(method) || (method === 'HEAD' && methodsOfPath.includes('GET'))) continue;
      const response = await api.request(
        method,
        fillPath(path, () => stream.id),
        { key: owner.key },
      );
      expect(response.status).toBe(methodsOfPath.length > 0 ? 405 : 404);
      if (methodsOfPath.length > 0)
        expect(response.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(methodsOfPath));
    }
  });
});

test('HEAD responds like GET without a body, with the same access rules', async () => {
  const path = `/api/stream/${stream.id}`;
  const response = await api.request('GET', path, { key: owner.key });
  const head = await api.request('HEAD', path, { key: owner.key });
  expect(head.status).toBe(200);
  expect(head.headers.get('content-type')).toBe(response.headers.get('content-type'));
  expect((await api.request('HEAD', '/api/stream', { key: corsKey, origin: page })).status).toBe(403);
  expect((await api.request('HEAD', path)).status).toBe(401);
});

test('a safe X-Request-Id of the caller is kept, otherwise one is generated', async () => {
  const idOf = async (input: string) =>
    (
      await api.request('GET', '/api/user/me', { key: owner.key, headers: { 'x-request-id': input } })
    ).headers.get('x-request-id');
  expect(await idOf('trace-7.a_B')).toBe('trace-7.a_B');
  expect(await idOf('a b"')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await idOf('x'.repeat(65))).toMatch(/^[0-9a-f-]{36}$/);
});
