import { describe, expect, test } from 'vitest';
import { authenticatePassword } from '@/lib/domain/accounts';
import type { AuditEntry } from '@/lib/contract/accounts/account';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { baseUrl, createSessionCookie, openTestApi, type Person } from '@/app/api/testing/test-api';

/** Account endpoints that only the dashboard calls. */
const api = openTestApi(await createTestDatabase());
const { db, clock, log, secrets, settings } = api.services;
const anonymous = { actor: { kind: 'anonymous' }, db, clock, log, secrets, settings } as const;

const browserOptions = (person: Person) => ({ cookie: person.cookie, origin: baseUrl });
const post = (person: Person, path: string, body?: object) =>
  api.request('POST', `/api/dashboard/account/${path}`, {
    ...browserOptions(person),
    ...(body ? { body } : {}),
  });
const isSignedIn = async (person: Person) =>
  (await api.request('GET', '/api/user/me', browserOptions(person))).status === 200;
const errorsOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors;

describe('changing the password', () => {
  const newPassword = 'another long pass phrase';

  test('ends every sign-in session; API keys keep working', async () => {
    const person = await api.createPerson('change');
    const other = { ...person, cookie: await createSessionCookie(api.services, person.userId) };
    expect((await post(person, 'password', { currentPassword: person.password, newPassword })).status).toBe(
      204,
    );
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([false, false]);
    expect((await api.request('GET', '/api/user/me', { key: person.key })).status).toBe(200);
    expect(await authenticatePassword(anonymous, person)).toBeNull();
    const signedIn = await authenticatePassword(anonymous, { ...person, password: newPassword });
    expect(signedIn).toMatchObject({ id: person.userId, sessionVersion: 1 });
  });

  test.each([
    ['a wrong current password', { currentPassword: 'not the password' }, 403, /^currentPassword: is not/],
    ['a common new password', { newPassword: 'password123' }, 422, /^newPassword: is too common/],
    ['a short new password', { newPassword: 'short' }, 422, /^newPassword: /],
  ])('is rejected: %s', async (_, change, status, message) => {
    const person = await api.createPerson('rejected');
    const validBody = { currentPassword: person.password, newPassword };
    const response = await post(person, 'password', { ...validBody, ...change });
    expect(response.status).toBe(status);
    expect(await errorsOf(response)).toEqual([expect.stringMatching(message)]);
    expect(await isSignedIn(person)).toBe(true);
    expect(await authenticatePassword(anonymous, person)).not.toBeNull();
  });

  test('allows ten guesses an hour', async () => {
    const person = await api.createPerson('guess');
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const body = { currentPassword: `guess number ${attempt}`, newPassword };
      statuses.push((await post(person, 'password', body)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
  });
});

describe('60 concurrent guesses', () => {
  test.each(['password', 'reveal'] as const)(
    'of the password at the endpoint %s: at most ten are verified',
    async (endpoint) => {
      const person = await api.createPerson('burst');
      const { id } = await person.newKey();
      const responses = await Promise.all(
        Array.from({ length: 60 }, (_, index) => {
          const guess = index === 45 ? person.password : `guess number ${index}`;
          return endpoint === 'password'
            ? post(person, 'password', { currentPassword: guess, newPassword: 'another long pass phrase' })
            : api.request('POST', `/api/dashboard/api-keys/${id}/reveal`, {
                ...browserOptions(person),
                body: { password: guess },
              });
        }),
      );
      const countStatus = (expected: number) => responses.filter(({ status }) => status === expected).length;
      // A busy machine may answer some requests with 503, which means that the password was not checked.
      expect(countStatus(403) + countStatus(429) + countStatus(503)).toBe(60);
      expect(countStatus(403)).toBeLessThanOrEqual(10);
      expect(countStatus(429)).toBeGreaterThan(0);
    },
  );

  test('correct guesses, and guesses that were not verified, do not count', async () => {
    const person = await api.createPerson('right');
    const { id } = await person.newKey();
    const reveal = (body: object) =>
      api.request('POST', `/api/dashboard/api-keys/${id}/reveal`, { ...browserOptions(person), body });
    for (let round = 0; round < 12; round += 1) {
      expect((await reveal({ password: person.password })).status).toBe(200);
      expect((await reveal({})).status).toBe(422);
    }
  });
});

test('log out everywhere ends all sessions of this account and of no other account', async () => {
  const [person, other] = [await api.createPerson('everywhere'), await api.createPerson('other')];
  expect((await post(person, 'log-out-everywhere')).status).toBe(204);
  expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([false, true]);
});

describe('deleting the account', () => {
  test('is rejected with another email address or a wrong password', async () => {
    const person = await api.createPerson('careful');
    const rejectedResponse = await post(person, 'delete', {
      email: 'other@example.com',
      password: person.password,
    });
    expect([rejectedResponse.status, await errorsOf(rejectedResponse)]).toEqual([
      422,
      ['email: is not the email address of this account'],
    ]);
    const response = await post(person, 'delete', { email: person.email, password: 'not the password' });
    expect(response.status).toBe(403);
    expect(await isSignedIn(person)).toBe(true);
  });

  test('ends the session, the API keys and playback immediately, and frees the email address', async () => {
    const person = await api.createPerson('leaving');
    const response = await api.request('POST', '/api/stream', { key: person.key, body: { name: 'mine' } });
    const { playbackId } = (await response.json()) as { playbackId: string };
    const body = { email: ` ${person.email.toUpperCase()} `, password: person.password };
    expect((await post(person, 'delete', body)).status).toBe(204);
    expect(await isSignedIn(person)).toBe(false);
    expect((await api.request('GET', '/api/stream', { key: person.key })).status).toBe(403);
    expect((await api.request('GET', `/api/playback/${playbackId}`)).status).toBe(404);
    expect(await authenticatePassword(anonymous, person)).toBeNull();
    const again = { email: person.email, password: 'a new long pass phrase' };
    expect(
      (await api.request('POST', '/api/dashboard/accounts', { body: again, origin: baseUrl })).status,
    ).toBe(201);
    expect(await authenticatePassword(anonymous, again)).toMatchObject({ email: person.email });
  });
});

describe('the audit log', () => {
  const readAudit = async (person: Person, query = '') => {
    const response = await api.request('GET', `/api/dashboard/audit${query}`, browserOptions(person));
    return { items: (await response.json()) as AuditEntry[], response };
  };

  test('has actor, action, object and IP address, newest first, for its own account only', async () => {
    const [person, other] = [await api.createPerson('audit'), await api.createPerson('other')];
    const key = await person.newKey({ name: 'Website' });
    const requestHeaders = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'curl/8' };
    const options = { key: key.secret, body: { name: 'x' }, headers: requestHeaders };
    const response = (await (await api.request('POST', '/api/stream', options)).json()) as { id: string };
    await api.request('POST', '/api/stream', { key: other.key, body: { name: 'y' } });
    const { items } = await readAudit(person);
    expect(items[0]).toMatchObject({
      action: 'stream.created',
      actor: 'key',
      keyId: key.id,
      keyName: 'Website',
      objectId: response.id,
      objectName: 'x',
      ip: '203.0.113.7',
      userAgent: 'curl/8',
    });
    expect(items.map(({ action }) => action)).toEqual([
      'stream.created',
      'api-key.created',
      'api-key.created',
      'account.created',
    ]);
    await api.request('DELETE', `/api/dashboard/api-keys/${key.id}`, browserOptions(person));
    const after = (await readAudit(person)).items;
    expect(after[0]).toMatchObject({ action: 'api-key.deleted', actor: 'session', objectName: null });
    // A deleted stream still has a name in the usage report.
    await api.request('DELETE', `/api/stream/${response.id}`, browserOptions(person));
    expect((await readAudit(person)).items[0]).toMatchObject({ action: 'stream.deleted', objectName: 'x' });
    expect(after[1]).toMatchObject({ actor: 'key', keyId: key.id, keyName: null });
  });

  test('is read in pages and can be filtered', async () => {
    const person = await api.createPerson('pages');
    const { response, items } = await readAudit(person, '?limit=1&count=1');
    expect([items.length, response.headers.get('x-total-count')]).toEqual([1, '2']);
    const next = /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
    const second = await readAudit(person, new URL(next).search);
    expect(second.items.map(({ action }) => action)).toEqual(['account.created']);
    expect(second.response.headers.get('link')).toBeNull();
    const filters = encodeURIComponent(JSON.stringify([{ id: 'action', value: 'account.created' }]));
    expect((await readAudit(person, `?filters=${filters}`)).items).toHaveLength(1);
  });
});
