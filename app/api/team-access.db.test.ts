import { omitUndefined } from '@/lib/core/omit-undefined';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '@/lib/domain/api-keys';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { keyScopes } from '@/lib/core/access/key-policy';
import { type TeamRole, teamRoles } from '@/lib/core/access/team-roles';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { hashAllRows } from './testing/all-rows';
import { bodyFor } from './testing/callers';
import { endpointsByRole, endpointsByScopes, listKeyOf } from './testing/endpoint-access';
import { startLiveNode } from './testing/live-node';
import { makeExampleAsset, fillPathWithNewObjects } from './testing/owned-objects';
import { baseUrl, endpoints, openTestApi, successStatusesOf } from './testing/test-api';
import { chooseValues } from './testing/choose-values';

/** Roles of members and scopes of keys for every endpoint, generated from the registry. */
const api = openTestApi(await createTestDatabase());
const owner = await api.createPerson('owner');
const stranger = await api.createPerson('stranger');
await makeExampleAsset(api, owner);
const node = await startLiveNode(api);
afterAll(() => node.close());

const stream = (await (
  await api.request('POST', '/api/stream', { key: owner.key, body: { name: 'of the owner' } })
).json()) as { id: string };

const hashRows = () => hashAllRows(api);
const protectedEndpoints = endpoints.filter(({ auth }) => auth !== 'public');
const keyEndpoints = endpoints.filter(({ auth }) => auth === 'key-or-session');

/** Deletes the webhooks and signing keys: a team can have 50 webhooks and 10 signing keys. */
async function deleteLimitedObjects(): Promise<void> {
  const where = { teamId: owner.teamId };
  await api.services.db.webhook.deleteMany({ where });
  await api.services.db.signingKey.deleteMany({ where });
}

/** The path and options of a call with a new object, so that endpoints that delete always find one. */
async function prepareNewCall(endpoint: Endpoint, caller = owner) {
  const body = endpoint.example.body === undefined ? undefined : bodyFor(endpoint, caller);
  const path = await fillPathWithNewObjects(api, owner, endpoint.path);
  return { path, options: omitUndefined({ body }) };
}

/** The minimum role, which is allowed, and the role below it, which is rejected. No role is below viewer. */
const rolesToTry = (minimumRole: TeamRole): TeamRole[] => {
  const index = teamRoles.indexOf(minimumRole);
  return teamRoles.slice(Math.max(0, index - 1), index + 1);
};

/** Creates one member for each role; all of them are operators, so that only the role decides. */
const createMembers = async () => {
  const { teamId } = owner;
  const members = await Promise.all(
    teamRoles.map(async (role) => {
      const member = await api.createPerson(role);
      await api.services.db.teamMember.create({ data: { teamId, userId: member.userId, role } });
      return [role, member] as const;
    }),
  );
  const operatorEmails = [owner.email, ...members.map(([, { email }]) => email)];
  Object.assign(api.services.settings, { operatorEmails });
  return new Map(members);
};

describe('a member of a team', () => {
  let members: Awaited<ReturnType<typeof createMembers>>;
  beforeAll(async () => {
    members = await createMembers();
  });
  const ofTeam = protectedEndpoints.flatMap((endpoint) => {
    const minimumRole = listKeyOf(endpointsByRole, endpoint.id);
    return minimumRole === 'null'
      ? []
      : rolesToTry(minimumRole as TeamRole).map(
          (role) => [endpoint.id, role, minimumRole, endpoint] as const,
        );
  });

  test.each(ofTeam)(
    'calls %s as %s only if the role is at least %s',
    async (_, role, minimumRole, endpoint) => {
      const member = members.get(role) ?? owner;
      const session = { cookie: member.cookie, origin: baseUrl, headers: { 'x-team-id': owner.teamId } };
      await deleteLimitedObjects();
      const { path, options } = await prepareNewCall(endpoint, member);
      const before = role === minimumRole ? '' : await hashRows();
      const response = await api.request(endpoint.method, path, { ...options, ...session });
      if (role === minimumRole) {
        expect(successStatusesOf(endpoint)).toContain(response.status);
        return;
      }
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        errors: [`your role in this team is ${role}: this needs the role ${minimumRole}`],
      });
      expect(await hashRows()).toBe(before);
    },
  );

  test.each(teamRoles)('reads stream keys as %s, except viewers', async (role) => {
    const { cookie = '' } = members.get(role) ?? {};
    const session = { cookie, origin: baseUrl, headers: { 'x-team-id': owner.teamId } };
    const response = await api.request('GET', `/api/stream/${stream.id}`, session);
    expect('streamKey' in ((await response.json()) as object)).toBe(role !== 'viewer');
  });
});

/** The minimum roles of endpoints that check the team in their path instead of the active team. */
const teamsInPath: Readonly<Record<string, TeamRole>> = {
  updateTeam: 'admin',
  updateTeamMails: 'viewer',
  deleteTeam: 'owner',
  listTeamMembers: 'viewer',
  updateTeamMember: 'admin',
  removeTeamMember: 'admin',
  listTeamInvitations: 'admin',
  createTeamInvitation: 'admin',
  revokeTeamInvitation: 'admin',
};
const withTeamInPath = endpoints.filter(({ path }) => path.startsWith('/api/dashboard/teams/{id}'));

test('every endpoint with a team in its path has a known minimum role', () => {
  expect(withTeamInPath.map(({ id }) => id).sort()).toEqual(Object.keys(teamsInPath).sort());
});

describe('a member of the team in the path', () => {
  const cases = withTeamInPath.flatMap((endpoint) => {
    const minimumRole = teamsInPath[endpoint.id] ?? 'owner';
    return rolesToTry(minimumRole).map((role) => [endpoint.id, role, minimumRole, endpoint] as const);
  });

  test.each(cases)(
    'calls %s as %s only if the role is at least %s',
    async (_, role, minimumRole, endpoint) => {
      const { path, options } = await prepareNewCall(endpoint);
      const [, teamId = ''] = /^\/api\/dashboard\/teams\/([^/]+)/.exec(path) ?? [];
      const member = await api.createPerson(role);
      await api.services.db.teamMember.create({ data: { teamId, userId: member.userId, role } });
      const before = await hashRows();
      const session = { cookie: member.cookie, origin: baseUrl };
      const response = await api.request(endpoint.method, path, { ...options, ...session });
      if (role === minimumRole) {
        expect(successStatusesOf(endpoint)).toContain(response.status);
        return;
      }
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        errors: [`your role in this team is ${role}: this needs the role ${minimumRole}`],
      });
      expect(await hashRows()).toBe(before);
    },
  );
});

test('a sign-in session cannot act for a team that its person is not a member of', async () => {
  const session = { cookie: stranger.cookie, origin: baseUrl };
  const callFor = (teamId: string) =>
    api.request('GET', '/api/stream', { ...session, headers: { 'x-team-id': teamId } });
  expect((await callFor(owner.teamId)).status).toBe(403);
  expect((await callFor(crypto.randomUUID())).status).toBe(403);
  expect((await callFor('x')).status).toBe(400);
  expect((await callFor(stranger.teamId)).status).toBe(200);
});

describe('a key with one scope', () => {
  const secrets = new Map<string, string>();
  beforeAll(async () => {
    for (const scope of keyScopes) secrets.set(scope, (await owner.newKey({ scopes: [scope] })).secret);
    Object.assign(api.services.settings, { operatorEmails: [owner.email] });
  });
  const cases = keyEndpoints.flatMap((endpoint) => {
    const allowedScopes = listKeyOf(endpointsByScopes, endpoint.id).split(' ');
    const [allowed, rejected] = [true, false].map((isAllowed) =>
      keyScopes.filter((scope) => allowedScopes.includes(scope) === isAllowed),
    );
    return [...chooseValues(allowed ?? [], endpoint), ...chooseValues(rejected ?? [], endpoint)].map(
      (scope) => [scope, endpoint.id, allowedScopes, endpoint] as const,
    );
  });

  test.each(cases)(
    'with the scope %s calls %s only if the scope allows it',
    async (scope, _, allowedScopes, endpoint) => {
      await deleteLimitedObjects();
      const isAllowed = allowedScopes.includes(scope);
      const { path, options } = await prepareNewCall(endpoint);
      const before = isAllowed ? '' : await hashRows();
      const key = secrets.get(scope) ?? '';
      const response = await api.request(endpoint.method, path, { ...options, key });
      expect(isAllowed ? successStatusesOf(endpoint) : [403]).toContain(response.status);
      if (isAllowed) return;
      expect(await response.json()).toMatchObject({
        errors: [`the API key lacks the scope for this: it needs ${allowedScopes.join(' or ')}`],
      });
      expect(await hashRows()).toBe(before);
    },
  );
});

test('a read-only key gets no stream keys', async () => {
  const { secret } = await owner.newKey({ scopes: ['read'] });
  const response = await api.request('GET', `/api/stream/${stream.id}`, { key: secret });
  expect(response.status).toBe(200);
  expect(await response.json()).not.toHaveProperty('streamKey');
});

test('an expired key is rejected, and a key cannot be created as expired', async () => {
  const { id, secret } = await owner.newKey({ expiresAt: Date.now() + 60_000 });
  const listStreams = () => api.request('GET', '/api/stream', { key: secret });
  expect((await listStreams()).status).toBe(200);
  await api.services.db.apiKey.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
  const response = await listStreams();
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ errors: ['the API key has expired'] });
  await expect(owner.newKey({ expiresAt: Date.now() - 1 })).rejects.toThrow(
    'expiresAt: must be in the future',
  );
});

test('a developer neither creates nor reveals a key with full access', async () => {
  const member = await api.createPerson('developer');
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

test('a key of an operator’s team has operator rights only if an operator created it', async () => {
  const member = await api.createPerson('admin');
  const { teamId } = owner;
  await api.services.db.teamMember.create({ data: { teamId, userId: member.userId, role: 'admin' } });
  const ctx = { ...member.ctx, actor: { ...member.ctx.actor, teamId } };
  const { secret } = await createApiKey(ctx, { name: 'of a member' });
  expect((await api.request('GET', '/api/admin/nodes', { key: secret })).status).toBe(403);
  expect((await api.request('GET', '/api/admin/nodes', { key: owner.key })).status).toBe(200);
});
