import { omitUndefined } from '@/lib/core/omit-undefined';
import { describe, expect, test } from 'vitest';
import { inviteToTeam, readTeamInvitation } from '@/lib/domain/accounts';
import type { TeamRole } from '@/lib/core/access/team-roles';
import { createApiKey } from '@/lib/domain/api-keys';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { baseUrl, openTestApi, type Person } from '../testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const path = '/api/dashboard/teams';

const browserOptions = ({ cookie }: Person, teamId?: string) => ({
  cookie,
  origin: baseUrl,
  ...(teamId === undefined ? {} : { headers: { 'x-team-id': teamId } }),
});

const call = async (person: Person, method: string, route = '', body?: object) => {
  const bodyOptions = omitUndefined({ body });
  const response = await api.request(method, `${path}${route}`, {
    ...browserOptions(person),
    ...bodyOptions,
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
};

const createInvitation = async (person: Person, teamId: string, email: string, role: TeamRole) => {
  const { url } = await inviteToTeam(person.ctx, { teamId, email, role }, null);
  expect(url).toContain('/join?invitation=');
  return url.split('=')[1] ?? '';
};

const createTeam = async (owner: Person, name = 'Lake TV') => {
  const { status, body } = await call(owner, 'POST', '', { name });
  expect(status).toBe(201);
  return (body as { id: string }).id;
};

const readMembers = async (person: Person, teamId: string) =>
  ((await call(person, 'GET', `/${teamId}/members`)).body as { email: string; role: string }[]).map(
    ({ email, role }) => [email, role],
  );

describe('a team', () => {
  test('has its own streams, which only its members see', async () => {
    const [ada, eve] = [await api.createPerson('ada'), await api.createPerson('eve')];
    const teamId = await createTeam(ada);
    const stream = { body: { name: 'of the team' }, ...browserOptions(ada, teamId) };
    expect((await api.request('POST', '/api/stream', stream)).status).toBe(201);
    const list = async (options: object) =>
      ((await (await api.request('GET', '/api/stream', options)).json()) as { userId: string }[]).map(
        ({ userId }) => userId,
      );
    expect(await list(browserOptions(ada, teamId))).toEqual([teamId]);
    expect(await list(browserOptions(ada))).toEqual([]);
    expect((await api.request('GET', '/api/stream', browserOptions(eve, teamId))).status).toBe(403);
    const token = await createInvitation(ada, teamId, eve.email, 'viewer');
    expect((await call(eve, 'POST', '/join', { invitation: token })).status).toBe(200);
    expect(await list(browserOptions(eve, teamId))).toEqual([teamId]);
    const change = { ...browserOptions(eve, teamId), body: { name: 'x' } };
    expect((await api.request('POST', '/api/stream', change)).status).toBe(403);
  });

  test('is renamed by admins, and deleted by owners, except the team that was created with an account', async () => {
    const [ada, eve] = [await api.createPerson('ada'), await api.createPerson('eve')];
    const teamId = await createTeam(ada);
    await db.teamMember.create({ data: { teamId, userId: eve.userId, role: 'admin' } });
    expect((await call(eve, 'PATCH', `/${teamId}`, { name: 'Sea TV' })).status).toBe(204);
    expect(await call(eve, 'DELETE', `/${teamId}`)).toMatchObject({
      status: 403,
      body: { errors: ['your role in this team is admin: this needs the role owner'] },
    });
    expect((await call(ada, 'DELETE', `/${teamId}`)).status).toBe(204);
    expect((await api.request('GET', '/api/stream', browserOptions(ada, teamId))).status).toBe(403);
    expect((await call(eve, 'GET', `/${teamId}/members`)).status).toBe(404);
    expect(await call(ada, 'GET')).toMatchObject({ body: [{ id: ada.teamId, own: true, role: 'owner' }] });
    expect((await call(ada, 'DELETE', `/${ada.teamId}`)).status).toBe(409);
  });

  test('keeps an owner, even if two leave concurrently', async () => {
    const [ada, eve] = [await api.createPerson('ada'), await api.createPerson('eve')];
    const teamId = await createTeam(ada);
    expect((await call(ada, 'DELETE', `/${teamId}/members/${ada.userId}`)).status).toBe(409);
    await db.teamMember.create({ data: { teamId, userId: eve.userId, role: 'owner' } });
    const leaveResponses = await Promise.all(
      [ada, eve].map((person) => call(person, 'DELETE', `/${teamId}/members/${person.userId}`)),
    );
    expect(leaveResponses.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await db.teamMember.count({ where: { teamId, role: 'owner' } })).toBe(1);
  });

  test('has at most 100 members, and a person has at most 20 teams', async () => {
    const ada = await api.createPerson('ada');
    // With the team that was created with the account, these are 20.
    for (let teamCount = 0; teamCount < 19; teamCount += 1) await createTeam(ada, `team ${teamCount}`);
    expect((await call(ada, 'POST', '', { name: 'one more' })).status).toBe(409);
    const eve = await api.createPerson('eve');
    // With the owner, these are 100 members.
    const emails = Array.from({ length: 99 }, () => `${crypto.randomUUID()}@example.com`);
    const accounts = await db.account.createManyAndReturn({
      data: emails.map((email) => ({ email, passwordHash: 'x' })),
    });
    await db.teamMember.createMany({
      data: accounts.map(({ id }) => ({ teamId: ada.teamId, userId: id, role: 'viewer' })),
    });
    const token = await createInvitation(ada, ada.teamId, eve.email, 'viewer');
    expect((await call(eve, 'POST', '/join', { invitation: token })).status).toBe(409);
  });
});

test('a team has at most 100 API keys, also for concurrent requests', async () => {
  const { teamId, ctx } = await api.createPerson('ada');
  const freeKeyCount = 100 - (await db.apiKey.count({ where: { teamId } }));
  const data = Array.from({ length: freeKeyCount - 1 }, (_, index) => ({
    teamId,
    name: 'x',
    last4: 'abcd',
    secretHash: Buffer.from(`${teamId} ${index}`),
    secretSealed: Buffer.from('x'),
  }));
  await db.apiKey.createMany({ data });
  // Connections are opened first, so that the transactions overlap.
  await Promise.all(Array.from({ length: 8 }, () => db.$queryRaw`select 1 from pg_sleep(0.2)`));
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => createApiKey(ctx, { name: 'server' })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await db.apiKey.count({ where: { teamId } })).toBe(100);
});

describe('API keys of a member', () => {
  const createKey = async (person: Person, teamId: string, scopes: string[]) => {
    const body = { name: `of ${person.email}`, scopes };
    const response = await api.request('POST', '/api/dashboard/api-keys', {
      ...browserOptions(person, teamId),
      body,
    });
    expect(response.status).toBe(201);
    return (await response.json()) as { id: string; secret: string };
  };
  const requestStreams = async (secret: string) => {
    const response = await api.request('GET', '/api/stream', { key: secret });
    const { errors = [] } = (await response.json()) as { errors?: string[] };
    return [response.status, ...errors];
  };
  const works = [200];
  const disabled = (reason: RegExp) => [401, expect.stringMatching(reason) as string];
  const list = async (person: Person, teamId: string) => {
    const response = await api.request('GET', '/api/dashboard/api-keys', browserOptions(person, teamId));
    const keys = (await response.json()) as { id: string; createdBy: string; disabled: string | null }[];
    return Object.fromEntries(keys.map((key) => [key.id, [key.createdBy, key.disabled]]));
  };

  /** Creates a team of Ada with the admin Eve, one key of Ada and two keys of Eve. */
  async function createTeamWithKeys() {
    const [ada, eve] = [await api.createPerson('ada'), await api.createPerson('eve')];
    const teamId = await createTeam(ada);
    await db.teamMember.create({ data: { teamId, userId: eve.userId, role: 'admin' } });
    const keys = {
      ofAda: await createKey(ada, teamId, ['all']),
      all: await createKey(eve, teamId, ['all']),
      streams: await createKey(eve, teamId, ['streams']),
    };
    const setRoleOfEve = (role: string) =>
      call(ada, 'PATCH', `/${teamId}/members/${eve.userId}`, { role }).then(({ status }) =>
        expect(status).toBe(204),
      );
    return { ada, eve, teamId, keys, setRoleOfEve };
  }

  test.each(['an owner removes the member', 'the member leaves'])(
    'stop working when %s, and are listed with that reason',
    async (change) => {
      const { ada, eve, teamId, keys } = await createTeamWithKeys();
      for (const { secret } of Object.values(keys)) expect(await requestStreams(secret)).toEqual(works);
      const actor = change === 'an owner removes the member' ? ada : eve;
      expect((await call(actor, 'DELETE', `/${teamId}/members/${eve.userId}`)).status).toBe(204);
      expect(await requestStreams(keys.all.secret)).toEqual(disabled(/is no longer in the team/));
      expect(await requestStreams(keys.streams.secret)).toEqual(disabled(/is no longer in the team/));
      expect(await requestStreams(keys.ofAda.secret)).toEqual(works);
      expect(await list(ada, teamId)).toEqual({
        [keys.ofAda.id]: [ada.email, null],
        [keys.all.id]: [eve.email, 'creator_left'],
        [keys.streams.id]: [eve.email, 'creator_left'],
      });
    },
  );

  test("have at most the rights of the member's role", async () => {
    const { ada, eve, teamId, keys, setRoleOfEve } = await createTeamWithKeys();
    await setRoleOfEve('developer');
    expect(await requestStreams(keys.all.secret)).toEqual(
      disabled(/role of the person who created it was lowered/),
    );
    expect(await requestStreams(keys.streams.secret)).toEqual(works);
    await setRoleOfEve('viewer');
    expect(await requestStreams(keys.streams.secret)).toEqual(disabled(/role .* was lowered/));
    expect(await list(ada, teamId)).toMatchObject({ [keys.streams.id]: [eve.email, 'creator_role'] });
    await setRoleOfEve('owner');
    for (const { secret } of Object.values(keys)) expect(await requestStreams(secret)).toEqual(works);
  });

  test('stop working while the account is suspended, and when it is deleted', async () => {
    const { ada, eve, teamId, keys } = await createTeamWithKeys();
    await db.account.update({ where: { id: eve.userId }, data: { suspended: true } });
    expect(await requestStreams(keys.all.secret)).toEqual(disabled(/is no longer in the team/));
    await db.account.update({ where: { id: eve.userId }, data: { suspended: false } });
    expect(await requestStreams(keys.all.secret)).toEqual(works);
    const { email, password, cookie } = eve;
    const options = { cookie, origin: baseUrl, body: { email, password } };
    expect((await api.request('POST', '/api/dashboard/account/delete', options)).status).toBe(204);
    expect(await requestStreams(keys.all.secret)).toEqual(disabled(/is no longer in the team/));
    expect(await list(ada, teamId)).toMatchObject({ [keys.all.id]: [null, 'creator_left'] });
  });

  test('created on the command line belong to no person', async () => {
    const { teamId } = await createTeamWithKeys();
    const ctx = { ...api.services, actor: { kind: 'cli', teamId } } as const;
    const { secret } = await createApiKey(ctx, { name: 'server' });
    expect(await requestStreams(secret)).toEqual(works);
  });
});

describe('an invitation', () => {
  test('is valid for one address, works once, and can be revoked', async () => {
    const [ada, eve, bob] = [
      await api.createPerson('ada'),
      await api.createPerson('eve'),
      await api.createPerson('bob'),
    ];
    const teamId = await createTeam(ada);
    const token = await createInvitation(ada, teamId, eve.email, 'developer');
    expect((await call(bob, 'POST', '/join', { invitation: token })).status).toBe(403);
    expect((await call(eve, 'POST', '/join', { invitation: token })).status).toBe(200);
    expect((await call(eve, 'POST', '/join', { invitation: token })).status).toBe(403);
    expect(await readMembers(eve, teamId)).toEqual([
      [ada.email, 'owner'],
      [eve.email, 'developer'],
    ]);
    const other = await createInvitation(ada, teamId, bob.email, 'viewer');
    const [first] = (await call(ada, 'GET', `/${teamId}/invitations`)).body as { id: string }[];
    const id = first?.id ?? '';
    expect((await call(eve, 'GET', `/${teamId}/invitations`)).status).toBe(403);
    expect((await call(ada, 'DELETE', `/${teamId}/invitations/${id}`)).status).toBe(204);
    expect((await call(bob, 'POST', '/join', { invitation: other })).status).toBe(403);
  });

  test('shows the team, the role and the sender', async () => {
    const ada = await api.createPerson('ada');
    const teamId = await createTeam(ada);
    const invitationBody = { email: 'guest@example.com', role: 'developer' };
    const { url = '' } = (await call(ada, 'POST', `/${teamId}/invitations`, invitationBody)).body as {
      url?: string;
    };
    const token = url.split('=')[1] ?? '';
    expect(await readTeamInvitation(ada.ctx, token)).toEqual({
      teamId,
      teamName: 'Lake TV',
      email: 'guest@example.com',
      role: 'developer',
      invitedBy: ada.email,
    });
  });

  test('lets a new person sign up into the team, even if sign-up requires an invitation', async () => {
    const ada = await api.createPerson('ada');
    const teamId = await createTeam(ada);
    const email = `${crypto.randomUUID()}@example.com`;
    const invitation = await createInvitation(ada, teamId, email, 'admin');
    const before = api.services.settings.signUp;
    Object.assign(api.services.settings, { signUp: 'invite' });
    const body = { email, password: 'a long pass phrase', invitation };
    const response = await api.request('POST', '/api/dashboard/accounts', { origin: baseUrl, body });
    Object.assign(api.services.settings, { signUp: before });
    expect(response.status).toBe(201);
    expect(await readMembers(ada, teamId)).toEqual([
      [ada.email, 'owner'],
      [email, 'admin'],
    ]);
  });

  test('to the role owner requires an owner', async () => {
    const [ada, eve] = [await api.createPerson('ada'), await api.createPerson('eve')];
    const teamId = await createTeam(ada);
    await db.teamMember.create({ data: { teamId, userId: eve.userId, role: 'admin' } });
    const inviteAs = (role: TeamRole) =>
      call(eve, 'POST', `/${teamId}/invitations`, { email: 'new@example.com', role });
    expect((await inviteAs('owner')).status).toBe(403);
    expect((await inviteAs('admin')).status).toBe(201);
  });
});

test('the audit log of a team names the person of an action, and their actions on their own account only for themselves', async () => {
  const [ada, eve] = [await api.createPerson('ada'), await api.createPerson('eve')];
  await db.teamMember.create({ data: { teamId: ada.teamId, userId: eve.userId, role: 'admin' } });
  await api.request('POST', '/api/stream', { ...browserOptions(eve, ada.teamId), body: { name: 'x' } });
  const readAudit = async (person: Person) =>
    (await (await api.request('GET', '/api/dashboard/audit', browserOptions(person, ada.teamId))).json()) as {
      action: string;
      email: string | null;
    }[];
  expect(await readAudit(eve)).toMatchObject([
    { action: 'stream.created', email: eve.email },
    { action: 'api-key.created', email: null },
  ]);
  expect((await readAudit(ada)).map(({ action }) => action)).toContain('account.created');
});
