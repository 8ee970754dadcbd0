import { describe, expect, test } from 'vitest';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { createLimiters, limitSizes } from '@/lib/http/limits/rate-limit';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { hashAllRows } from './testing/all-rows';
import { badBodies, oneBodyPerBadValue, type BadBody } from './testing/bad-bodies';
import { bodyFor, callerOf, preparePerson } from './testing/callers';
import { fillPath, makeExampleAsset, fillPathWithNewObjects } from './testing/owned-objects';
import { endpoints, openTestApi, type RequestOptions } from './testing/test-api';
import { chooseValues } from './testing/choose-values';

/** Tests generated from the registry: bad input gets an error response of this API and changes nothing. */
const highLimit = { points: 1_000_000, seconds: 60 };
const api = openTestApi(await createTestDatabase(), {
  limiters: createLimiters({
    ...limitSizes,
    api: highLimit,
    signUpPerIp: highLimit,
    linkPerIp: highLimit,
    resetRequestPerIp: highLimit,
    reveal: highLimit,
    password: highLimit,
    resend: highLimit,
    targetTest: highLimit,
    viewerClipPerIp: highLimit,
    playbackReportPerIp: highLimit,
    publicTotalsPerIp: highLimit,
  }),
});
const owner = await api.createPerson('owner');
Object.assign(api.services.settings, { operatorEmails: [owner.email] });
await makeExampleAsset(api, owner);
// The first call loads the whole API, which takes long.
await api.request('GET', '/api/user/me', { key: owner.key });
const { db } = api.services;

const withNames = (list: readonly Endpoint[]) => list.map((endpoint) => [endpoint.id, endpoint] as const);

/** Hash of the rows before the next call; undefined after a call that changed some. */
let rowsHash: string | undefined;

/**
 * Sends one call; test-api checks the response against the contract. A rejected call must not have changed anything.
 */
async function callAndCheckRows(
  endpoint: Endpoint,
  path: string,
  options: RequestOptions,
  text: string,
): Promise<number> {
  rowsHash ??= await hashAllRows(api);
  const { status } = await api.request(endpoint.method, path, { ...callerOf(endpoint, owner), ...options });
  expect(status, text).toBeLessThan(500);
  if (status >= 400) expect(await hashAllRows(api), text).toBe(rowsHash);
  else rowsHash = undefined;
  return status;
}

async function createPath(endpoint: Endpoint, person = owner): Promise<string> {
  rowsHash = undefined;
  return fillPathWithNewObjects(api, person, endpoint.path);
}

/** Deletes the new webhooks and completes the tasks: a team can have 50 webhooks and 100 queued tasks. */
async function makeRoom(since: Date): Promise<void> {
  await db.webhook.deleteMany({ where: { createdAt: { gte: since } } });
  await db.task.updateMany({ data: { phase: 'completed' } });
}

async function expectRejected(
  endpoint: Endpoint,
  casesOf: (endpoint: Endpoint, body: Record<string, unknown>) => readonly BadBody[],
): Promise<void> {
  const person = await preparePerson(api, endpoint, owner);
  const caller = callerOf(endpoint, person);
  const path = await createPath(endpoint, person);
  for (const { description: label, body, headers, statuses } of casesOf(
    endpoint,
    bodyFor(endpoint, person),
  )) {
    const startedAt = new Date();
    const options = { ...caller, body, ...(headers ? { headers } : {}) };
    const status = await callAndCheckRows(endpoint, path, options, label);
    if (statuses) expect(statuses, `${label} answered ${status}`).toContain(status);
    if (status < 400) await makeRoom(startedAt);
  }
}

describe.each(withNames(endpoints.filter(({ body }) => body)))('the body of %s', (_, endpoint) => {
  // bad-bodies.test.ts tries every field with every value.
  test('is rejected with a wrong value in one field', async () => {
    await expectRejected(endpoint, (...args) => chooseValues(oneBodyPerBadValue(...args), endpoint, 3));
  });

  test('is rejected if it is wrong as a whole', async () => {
    await expectRejected(endpoint, (...args) => chooseValues(badBodies(...args), endpoint, 4));
  });
});

const garbageValues = [
  '%00', '%20', 'null', 'undefined', '-1', '0', '1e400', 'ü', '%F0%9F%98%80', '%EF%BF%BD', '__proto__', 'constructor',
  "'%20or%201=1--", '%25', '%0d%0aset-cookie:a=b', 'x'.repeat(5_000), '00000000-0000-0000-0000-000000000000',
  `${crypto.randomUUID()}x`, `{${crypto.randomUUID()}}`, crypto.randomUUID().replaceAll('-', ''),
]; // prettier-ignore

describe.each(withNames(endpoints.filter(({ params }) => params)))('the path of %s', (_, endpoint) => {
  test.each(Object.keys(endpoint.params?.shape ?? {}))('is not found with an invalid %s', async (name) => {
    const validPath = await createPath(endpoint);
    const templateParts = endpoint.path.split('/');
    for (const garbage of chooseValues(garbageValues, endpoint, 4)) {
      const path = validPath
        .split('/')
        .map((part, index) => (templateParts[index] === `{${name}}` ? garbage : part))
        .join('/');
      const body = endpoint.body ? { body: bodyFor(endpoint, owner) } : {};
      expect(await callAndCheckRows(endpoint, path, body, garbage), garbage).toBe(404);
    }
  });
});

const filterIds = ['id', 'name', 'createdAt', 'isActive', 'phase', 'success', '__proto__', 'unknown']; // prettier-ignore
const filterValues = [null, '', 'x', 'a\0b', '\uD800', '%_\\', 5, -1e308, 1.5, true, [], {}, { gt: 'x' }, { gte: 1e308, lt: -1 }, { $ne: 1 }, [[]]]; // prettier-ignore

const filters = [
  ...filterIds.flatMap((id) => filterValues.map((value) => JSON.stringify([{ id, value }]))),
  '', '{', 'null', '5', '{}', '[null]', '[[]]', '[{}]', '[{"id":null,"value":1}]', `[${'['.repeat(4_000)}`,
  JSON.stringify(Array.from({ length: 100 }, () => ({ id: 'name', value: 'x' }))),
]; // prettier-ignore

const badOrders = ['', ',', 'name', 'name-', 'unknown-true', 'name-true,name-false', "name-true,".repeat(500), '__proto__-true', 'constructor-false']; // prettier-ignore

describe.each(withNames(endpoints.filter(({ query }) => query)))('the query of %s', (_, endpoint) => {
  test.each(Object.keys(endpoint.query?.shape ?? {}))(
    'with bad values of %s causes no internal error and changes nothing',
    async (name) => {
      const path = await fillPathWithNewObjects(api, owner, endpoint.path);
      const before = await hashAllRows(api);
      const invalidValues = [
        ...garbageValues,
        'x'.repeat(100_000),
        '%ED%A0%80',
        ...[...(name === 'filters' ? filters : []), ...(name === 'order' ? badOrders : [])].map(
          encodeURIComponent,
        ),
      ];
      for (const value of chooseValues([...invalidValues, `1&${name}=2`], endpoint, 8)) {
        const options = callerOf(endpoint, owner);
        const { status } = await api.request(endpoint.method, `${path}?${name}=${value}`, options);
        expect(status, value).toBeLessThan(500);
      }
      expect(await hashAllRows(api)).toBe(before);
    },
  );
});

test('a path without an endpoint is not found', async () => {
  for (const path of [
    ...garbageValues.map((garbage) => `/api/${garbage}`),
    '/api/stream/a/b/c/d',
    '/api/nothing',
  ]) {
    const filledPath = fillPath(path, () => 'x');
    expect((await api.request('GET', filledPath)).status, path).toBe(404);
  }
});
