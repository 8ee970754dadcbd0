import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '@/lib/api-keys';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { decideKey, keyScopes } from '@/lib/core/access/key-policy';
import {
  leastRole,
  reaches,
  refusalOf,
  roleRefusal,
  type TeamRole,
  teamRoles,
} from '@/lib/core/access/team-roles';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { hashOfAllRows } from './testing/all-rows';
import { startLiveNode } from './testing/live-node';
import { makeExampleObjects, pathOfNewObject } from './testing/owned-objects';
import { baseUrl, endpoints, openTestApi } from './testing/test-api';

/** Roles of members and scopes of keys for every endpoint, generated from the registry. */
const api = openTestApi(await testDatabase());
const owner = await api.person('owner');
const stranger = await api.person('stranger');
await makeExampleObjects(api, owner);
const node = await startLiveNode(api);
afterAll(() => node.close());

const stream = (await (
  await api.request('POST', '/api/stream', { key: owner.key, body: { name: 'of the owner' } })
).json()) as { id: string };

const allRows = () => hashOfAllRows(api);
const named = (list: readonly Endpoint[]) => list.map((endpoint) => [endpoint.id, endpoint] as const);
const guarded = endpoints.filter(({ auth }) => auth !== 'public');
const byKey = endpoints.filter(({ auth }) => auth === 'key-or-session');

/** A team can have 50 webhooks and 10 signing keys. */
async function makeRoom(): Promise<void> {
  const where = { teamId: owner.teamId };
  await api.services.db.webhook.deleteMany({ where });
  await api.services.db.signingKey.deleteMany({ where });
}

/** An object of its own for every call, so that destructive endpoints have something to work on. */
async function freshCall(endpoint: Endpoint) {
  const { body } = endpoint.example;
  const path = await pathOfNewObject(api, owner, endpoint.path);
  return { path, options: body === undefined ? {} : { body } };
}

describe.each(teamRoles)('a member with the role %s', (role) => {
  let options: { cookie: string; origin: string; headers: Record<string, string> };
  beforeAll(async () => {
    const member = await api.person(role);
    const { teamId } = owner;
    await api.services.db.teamMember.create({ data: { teamId, userId: member.userId, role } });
    Object.assign(api.services.settings, { operatorEmails: [owner.email, member.email] });
    options = { cookie: member.cookie, origin: baseUrl, headers: { 'x-team-id': teamId } };
  });
  const ofTeam = guarded.filter((endpoint) => leastRole(endpoint) !== null);

  test.each(named(ofTeam))('calls %s if it is enough', async (_, endpoint) => {
    const refusal = roleRefusal(role, endpoint);
    await makeRoom();
    const { path, options: given } = await freshCall(endpoint);
    const before = refusal === null ? '' : await allRows();
    const response = await api.request(endpoint.method, path, { ...given, ...options });
    if (refusal === null) {
      // The example's body has the password of another person.
      expect([endpoint.status, ...(endpoint.limit ? [403] : [])]).toContain(response.status);
      return;
    }
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ errors: [refusal] });
    expect(await allRows()).toBe(before);
  });

  test('reads stream keys unless they only view', async () => {
    const response = await api.request('GET', `/api/stream/${stream.id}`, options);
    expect('streamKey' in ((await response.json()) as object)).toBe(role !== 'viewer');
  });
});

/** Endpoints that look at the team in their path instead of the one of the page, with the least role of each. */
const teamsInPath: Readonly<Record<string, TeamRole>> = {
  updateTeam: 'admin',
  deleteTeam: 'owner',
  listTeamMembers: 'viewer',
  updateTeamMember: 'admin',
  removeTeamMember: 'admin',
  listTeamInvitations: 'admin',
  createTeamInvitation: 'admin',
  revokeTeamInvitation: 'admin',
};
const withTeamInPath = endpoints.filter(({ path }) => path.startsWith('/api/dashboard/teams/{id}'));

test('the least role of every endpoint with a team in its path is known', () => {
  expect(withTeamInPath.map(({ id }) => id).sort()).toEqual(Object.keys(teamsInPath).sort());
});

describe.each(teamRoles)('a member of the team in the path with the role %s', (role) => {
  test.each(named(withTeamInPath))('calls %s if it is enough', async (id, endpoint) => {
    const least = teamsInPath[id] ?? 'owner';
    const { path, options } = await freshCall(endpoint);
    const [, teamId = ''] = /^\/api\/dashboard\/teams\/([^/]+)/.exec(path) ?? [];
    const member = await api.person(role);
    await api.services.db.teamMember.create({ data: { teamId, userId: member.userId, role } });
    const before = await allRows();
    const session = { cookie: member.cookie, origin: baseUrl };
    const response = await api.request(endpoint.method, path, { ...options, ...session });
    if (reaches(role, least)) {
      expect(response.status).toBe(endpoint.status);
      return;
    }
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ errors: [refusalOf(role, least)] });
    expect(await allRows()).toBe(before);
  });
});

test('a browser session acts for no team that its person is not a member of', async () => {
  const session = { cookie: stranger.cookie, origin: baseUrl };
  const asked = (teamId: string) =>
    api.request('GET', '/api/stream', { ...session, headers: { 'x-team-id': teamId } });
  expect((await asked(owner.teamId)).status).toBe(403);
  expect((await asked(crypto.randomUUID())).status).toBe(403);
  expect((await asked('x')).status).toBe(400);
  expect((await asked(stranger.teamId)).status).toBe(200);
});

describe.each(keyScopes)('a key with the scope %s', (scope) => {
  let secret = '';
  beforeAll(async () => {
    ({ secret } = await owner.newKey({ scopes: [scope] }));
    Object.assign(api.services.settings, { operatorEmails: [owner.email] });
  });

  test.each(named(byKey))('calls %s if it is enough', async (_, endpoint) => {
    await makeRoom();
    const key = { allowedOrigins: [], fullAccess: false, scopes: [scope] };
    const { refusal } = decideKey(key, endpoint, null);
    const { path, options } = await freshCall(endpoint);
    const before = refusal === null ? '' : await allRows();
    const response = await api.request(endpoint.method, path, { ...options, key: secret });
    expect(response.status).toBe(refusal === null ? endpoint.status : 403);
    if (refusal === null) return;
    expect(await response.json()).toMatchObject({ errors: [refusal] });
    expect(await allRows()).toBe(before);
  });
});

test('a key that only reads gets no stream keys', async () => {
  const { secret } = await owner.newKey({ scopes: ['read'] });
  const response = await api.request('GET', `/api/stream/${stream.id}`, { key: secret });
  expect(response.status).toBe(200);
  expect(await response.json()).not.toHaveProperty('streamKey');
});

test('an expired key is refused, and one cannot be created expired', async () => {
  const { id, secret } = await owner.newKey({ expiresAt: Date.now() + 60_000 });
  const ask = () => api.request('GET', '/api/stream', { key: secret });
  expect((await ask()).status).toBe(200);
  await api.services.db.apiKey.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
  const refused = await ask();
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ errors: ['the API key has expired'] });
  await expect(owner.newKey({ expiresAt: Date.now() - 1 })).rejects.toThrow(
    'expiresAt: must be in the future',
  );
});

test('a developer neither creates nor reveals a key that does everything', async () => {
  const member = await api.person('developer');
  const { teamId } = owner;
  await api.services.db.teamMember.create({ data: { teamId, userId: member.userId, role: 'developer' } });
  const session = { cookie: member.cookie, origin: baseUrl, headers: { 'x-team-id': teamId } };
  const create = (body: object) => api.request('POST', '/api/dashboard/api-keys', { ...session, body });
  expect((await create({ name: 'all' })).status).toBe(403);
  expect((await create({ name: 'streams', scopes: ['streams'] })).status).toBe(201);
  const { id } = await owner.newKey();
  const reveal = { ...session, body: { password: member.password } };
  expect((await api.request('POST', `/api/dashboard/api-keys/${id}/reveal`, reveal)).status).toBe(403);
});

test('a key of an operator’s team operates the service only if an operator made it', async () => {
  const member = await api.person('admin');
  const { teamId } = owner;
  await api.services.db.teamMember.create({ data: { teamId, userId: member.userId, role: 'admin' } });
  const ctx = { ...member.ctx, actor: { ...member.ctx.actor, teamId } };
  const { secret } = await createApiKey(ctx, { name: 'of a member' });
  expect((await api.request('GET', '/api/admin/nodes', { key: secret })).status).toBe(403);
  expect((await api.request('GET', '/api/admin/nodes', { key: owner.key })).status).toBe(200);
});
