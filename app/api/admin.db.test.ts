import { describe, expect, test } from 'vitest';
import type { ManagedAccount, Queue, ServiceStorage, Setting } from '@/lib/contract/accounts/admin';
import type { Invitation } from '@/lib/contract/accounts/invitation';
import type { NewEvent } from '@/lib/contract/webhooks/event';
import { describePublicStatus, findStreamOfKey, locateLive } from '@/lib/domain/streams';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { emitEvent } from '@/lib/domain/webhooks';
import { fillPathWithNewObjects } from './testing/owned-objects';
import {
  baseUrl,
  endpoints,
  openTestApi,
  type Person,
  type RequestOptions,
  suspend,
} from './testing/test-api';
import { omitUndefined } from '@/lib/core/omit-undefined';

const api = openTestApi(await createTestDatabase());
const { db, settings } = api.services;
const operator = await api.createPerson('operator');
const stranger = await api.createPerson('stranger');
const suspended = await api.createPerson('suspended');
await suspend(api, suspended);
Object.assign(settings, { operatorEmails: [operator.email] });

const browserOptions = ({ cookie }: Person): RequestOptions => ({ cookie, origin: baseUrl });
const call = (method: string, path: string, body?: unknown) =>
  api.request(method, path, { ...browserOptions(operator), ...omitUndefined({ body }) });
const readJson = async <T>(path: string): Promise<T> => {
  const response = await call('GET', path);
  expect(response.status).toBe(200);
  return (await response.json()) as T;
};
const setSuspended = (id: string, value: boolean) =>
  call('PATCH', `/api/admin/accounts/${id}`, { suspended: value });

const adminEndpoints = endpoints.filter(({ operatorOnly, auth }) => operatorOnly && auth === 'session');

describe.each(adminEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (_, { method, path, example, status }) => {
    test.each([
      ['no key', () => ({}), 401],
      ["an ordinary user's key", () => ({ key: stranger.key }), 403],
      ["the operator's key", () => ({ key: operator.key }), 403],
      ['an ordinary user', () => browserOptions(stranger), 403],
      ['a suspended user', () => browserOptions(suspended), 403],
      ['the operator', () => browserOptions(operator), status],
      [
        "another page in the operator's browser",
        () => ({ ...browserOptions(operator), origin: 'https://x.example' }),
        403,
      ],
    ] as const)('%s gets the status %i', async (_who, caller, expected) => {
      const objectPath = await fillPathWithNewObjects(api, operator, path);
      const body = omitUndefined({ body: example.body });
      expect((await api.request(method, objectPath, { ...body, ...caller() })).status).toBe(expected);
    });
  },
);

describe('accounts', () => {
  const findAccounts = async (email: string) => {
    const filters = encodeURIComponent(JSON.stringify([{ id: 'email', value: email }]));
    return readJson<ManagedAccount[]>(`/api/admin/accounts?filters=${filters}`);
  };

  test('are found by a part of their email address, with what they own', async () => {
    const person = await api.createPerson('findable');
    await person.newKey();
    const create = (name: string) => api.request('POST', '/api/stream', { key: person.key, body: { name } });
    await create('one');
    const deleted = (await (await create('two')).json()) as { id: string };
    await api.request('DELETE', `/api/stream/${deleted.id}`, { key: person.key });
    await db.asset.create({
      data: {
        teamId: person.teamId,
        name: 'x',
        playbackId: 'storedbytes00001',
        sourceType: 'url',
        storedBytes: 700,
      },
    });
    expect(await findAccounts('FINDABLE')).toEqual([
      {
        id: person.userId,
        email: person.email,
        createdAt: expect.any(Number) as number,
        lastSeen: null,
        suspended: false,
        operator: false,
        streamCount: 1,
        storedBytes: 700,
        teams: [
          {
            id: person.teamId,
            name: expect.any(String) as string,
            role: 'owner',
            streamCount: 1,
            storedBytes: 700,
          },
        ],
      },
    ]);
    expect(await findAccounts(operator.email)).toMatchObject([{ operator: true }]);
    expect((await readJson<ServiceStorage>('/api/admin/storage')).assets).toBeGreaterThanOrEqual(700);
  });

  test('are listed in pages, newest first', async () => {
    const first = await call('GET', '/api/admin/accounts?limit=2&count=1');
    const items = (await first.json()) as ManagedAccount[];
    expect([items.length, Number(first.headers.get('x-total-count'))]).toEqual([
      2,
      await db.account.count({ where: { deletedAt: null } }),
    ]);
    expect(items[0]?.createdAt).toBeGreaterThanOrEqual(items[1]?.createdAt ?? 0);
    expect(first.headers.get('link')).toContain('rel="next"');
  });

  test('that are suspended are locked out everywhere, and can be restored', async () => {
    const person = await api.createPerson('access');
    const { key, teamId, userId, ctx } = person;
    const createdStream = await api.request('POST', '/api/stream', { key, body: { name: 'access' } });
    const stream = (await createdStream.json()) as { id: string; playbackId: string; streamKey: string };
    const body = { name: 'hook', url: 'https://hooks.example.com/x', events: ['stream.started'] };
    expect((await api.request('POST', '/api/webhook', { key, body })).status).toBe(201);
    const system = { ...ctx, actor: { kind: 'system' } } as const;
    const emitEventAndCountDeliveries = async () => {
      const event = { name: 'stream.started', teamId, streamId: stream.id, sequence: 1, stream };
      await db.$transaction((tx) => emitEvent({ db: tx }, event as unknown as NewEvent));
      return db.webhookDelivery.count({ where: { webhook: { teamId } } });
    };
    const accessOf = async () => ({
      key: (await api.request('GET', '/api/user/me', { key })).status,
      browser: (await api.request('GET', '/api/user/me', { cookie: person.cookie })).status,
      publish: (await findStreamOfKey(system, stream.streamKey))?.rejectionReason,
      located: (await locateLive(system, stream.playbackId)) !== null,
      watch: (await describePublicStatus(system, stream.playbackId))?.state,
      playback: (await api.request('GET', `/api/playback/${stream.playbackId}`)).status,
    });
    const initialAccess = await accessOf();
    expect(initialAccess).toMatchObject({
      key: 200,
      browser: 200,
      publish: null,
      located: true,
      playback: 200,
    });
    const deliveriesBefore = await emitEventAndCountDeliveries();

    const response = await setSuspended(userId, true);
    expect(await response.json()).toMatchObject({ id: userId, suspended: true });
    const suspendedAccess = await accessOf();
    expect(suspendedAccess).toMatchObject({
      key: 403,
      browser: 401,
      publish: 'account_suspended',
      located: false,
    });
    expect(suspendedAccess).toMatchObject({ watch: 'unavailable', playback: 404 });
    const rejected = await api.request('GET', '/api/user/me', { key });
    expect(await rejected.json()).toMatchObject({ errors: ['the team is suspended'] });
    expect(await emitEventAndCountDeliveries()).toBe(deliveriesBefore);

    expect((await setSuspended(userId, false)).status).toBe(200);
    // Sign-in sessions that a suspension ended stay ended after the account is restored.
    expect(await accessOf()).toMatchObject({ ...initialAccess, browser: 401 });
    expect(await emitEventAndCountDeliveries()).toBe(deliveriesBefore + 1);
    const auditEntries = await db.auditEntry.findMany({
      where: { objectId: userId },
      orderBy: { createdAt: 'asc' },
    });
    expect(
      auditEntries.map(({ action, actor, teamId: ownerTeamId }) => [action, actor, ownerTeamId === teamId]),
    ).toEqual(
      expect.arrayContaining([
        ['account.suspended', 'cli', true],
        ['operator.account-suspended', 'session', false],
        ['account.unsuspended', 'cli', true],
        ['operator.account-unsuspended', 'session', false],
      ]),
    );
  });

  test('of operators can be neither suspended nor deleted, unknown accounts are not found, and a repeated suspension writes no audit entry', async () => {
    expect((await setSuspended(operator.userId, true)).status).toBe(409);
    expect((await call('DELETE', `/api/admin/accounts/${operator.userId}`)).status).toBe(409);
    const unknown = `/api/admin/accounts/${crypto.randomUUID()}`;
    expect((await call('PATCH', unknown, { suspended: true })).status).toBe(404);
    expect((await call('DELETE', unknown)).status).toBe(404);
    const person = await api.createPerson('twice');
    await setSuspended(person.userId, true);
    const countAuditEntries = () => db.auditEntry.count({ where: { objectId: person.userId } });
    const countBefore = await countAuditEntries();
    expect((await setSuspended(person.userId, true)).status).toBe(200);
    expect(await countAuditEntries()).toBe(countBefore);
  });

  test('that are deleted are closed, and no longer listed', async () => {
    const person = await api.createPerson('to-delete');
    expect((await call('DELETE', `/api/admin/accounts/${person.userId}`)).status).toBe(204);
    expect((await api.request('GET', '/api/user/me', { key: person.key })).status).toBe(403);
    expect(await findAccounts(person.email)).toEqual([]);
    expect(await db.account.findUnique({ where: { id: person.userId } })).toMatchObject({
      suspended: true,
      deletedAt: expect.any(Date) as Date,
    });
    expect((await call('DELETE', `/api/admin/accounts/${person.userId}`)).status).toBe(404);
  });
});

test('an invitation is listed without its link, and revoked once', async () => {
  const response = await call('POST', '/api/admin/invitations', { email: 'Guest@Example.com' });
  const { invitation, url, mailed } = (await response.json()) as {
    invitation: Invitation;
    url: string;
    mailed: boolean;
  };
  expect([invitation.email, invitation.state, mailed]).toEqual(['guest@example.com', 'open', false]);
  expect(url).toMatch(new RegExp(`^${baseUrl}/signup\\?invitation=[\\w-]{75}$`));
  const listed = await readJson<Invitation[]>('/api/admin/invitations');
  expect(listed.find(({ id }) => id === invitation.id)).toEqual(invitation);
  const path = `/api/admin/invitations/${invitation.id}`;
  expect((await call('DELETE', path)).status).toBe(204);
  const secondResponse = await call('DELETE', path);
  expect([secondResponse.status, await secondResponse.json()]).toMatchObject([
    409,
    { errors: ['the invitation is not open: it is revoked'] },
  ]);
  expect((await call('DELETE', `/api/admin/invitations/${crypto.randomUUID()}`)).status).toBe(404);
});

test('invitations are rejected while sign-up is closed', async () => {
  Object.assign(settings, { signUp: 'closed' });
  const response = await call('POST', '/api/admin/invitations', { email: null });
  Object.assign(settings, { signUp: 'open' });
  expect(response.status).toBe(409);
});

test('an operator sees the queues, and the settings without secrets', async () => {
  const queues = await readJson<Queue[]>('/api/admin/queues');
  expect(queues.map(({ name }) => name)).toContain('deliveries');
  const listed = await readJson<Setting[]>('/api/admin/settings');
  expect(listed.find(({ name }) => name === 'APP_SECRET')?.value).toBe('••••••');
  expect(JSON.stringify(listed)).not.toContain(settings.appSecret);
});
