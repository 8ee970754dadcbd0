import { describe, expect, test } from 'vitest';
import { deleteExpiredSessions } from '@/lib/domain/accounts';
import type { BrowserSession } from '@/lib/contract/accounts/browser-session';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { codeAt } from '@/app/api/testing/factors';
import { SignInClient } from '@/app/api/testing/sign-in-client';
import { baseUrl, openTestApi, type Person } from '@/app/api/testing/test-api';

/** The list of signed-in browsers, with sessions opened by next-auth. */
let now = Date.now();
const clock = { now: () => new Date(now), monotonic: () => performance.now() };
const api = openTestApi(await createTestDatabase(), { clock });
const { db } = api.services;
const path = '/api/dashboard/account/sessions';
const HOUR_MS = 3_600_000;

async function signInFrom(person: Person, ip: string): Promise<SignInClient> {
  const client = new SignInClient(ip);
  expect((await client.signIn(person)).status).toBe(200);
  return client;
}
const call = (method: string, route: string, { cookie, ip }: SignInClient, body?: object) =>
  api.request(method, route, {
    cookie,
    origin: baseUrl,
    headers: { 'x-forwarded-for': ip },
    ...(body ? { body } : {}),
  });
const listSessions = async (client: SignInClient) =>
  (await (await call('GET', path, client)).json()) as BrowserSession[];
const isSignedIn = async (client: SignInClient) => (await call('GET', '/api/user/me', client)).status === 200;

describe('signed-in browsers', () => {
  test('are listed with address and last use, most recently used first', async () => {
    const [person, stranger] = [await api.createPerson(), await api.createPerson()];
    const laptop = await signInFrom(person, '203.0.113.7');
    const signedInAt = now;
    now += HOUR_MS;
    const phone = await signInFrom(person, '198.51.100.4');
    await signInFrom(stranger, '192.0.2.1');
    expect(await listSessions(laptop)).toMatchObject([
      { current: false, ip: '198.51.100.4', country: null, signedInAt: now, lastUsedAt: now },
      { current: true, ip: '203.0.113.7', signedInAt, lastUsedAt: signedInAt },
    ]);
    // A page that is open renews the session cookie.
    now += HOUR_MS;
    await laptop.get('session');
    const [first] = await listSessions(phone);
    expect(first).toMatchObject({ current: false, ip: '203.0.113.7', signedInAt, lastUsedAt: now });
  });

  test('are logged out separately: every copy of the cookie is invalid, other sessions continue', async () => {
    const [person, stranger] = [await api.createPerson(), await api.createPerson()];
    const [firstBrowser, secondBrowser] = [
      await signInFrom(person, '203.0.113.7'),
      await signInFrom(person, '198.51.100.4'),
    ];
    const otherId = (await listSessions(firstBrowser)).find(({ current }) => !current)?.id ?? '';
    const foreign = await signInFrom(stranger, '192.0.2.1');
    expect((await call('DELETE', `${path}/${otherId}`, foreign)).status).toBe(404);
    expect(await isSignedIn(secondBrowser)).toBe(true);
    const responses = await Promise.all([1, 2].map(() => call('DELETE', `${path}/${otherId}`, firstBrowser)));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect([await isSignedIn(firstBrowser), await isSignedIn(secondBrowser)]).toEqual([true, false]);
    // Renewing a cookie restores neither the session nor its list entry.
    await secondBrowser.get('session');
    expect(await isSignedIn(secondBrowser)).toBe(false);
    expect(await listSessions(firstBrowser)).toHaveLength(1);
    const where = { userId: person.userId, action: 'account.session-ended' };
    expect(await db.auditEntry.count({ where })).toBe(1);
  });

  test('leave the list when they log out, one by one or all together', async () => {
    const person = await api.createPerson();
    const [firstBrowser, secondBrowser] = [
      await signInFrom(person, '203.0.113.7'),
      await signInFrom(person, '198.51.100.4'),
    ];
    await secondBrowser.post('signout');
    expect(await listSessions(firstBrowser)).toHaveLength(1);
    await signInFrom(person, '198.51.100.4');
    expect((await call('POST', '/api/dashboard/account/log-out-everywhere', firstBrowser)).status).toBe(204);
    expect(await listSessions(await signInFrom(person, '203.0.113.7'))).toHaveLength(1);
  });

  test('leave the list when another browser of the account sets up a second factor', async () => {
    const person = await api.createPerson();
    const [firstBrowser] = [
      await signInFrom(person, '203.0.113.7'),
      await signInFrom(person, '198.51.100.4'),
    ];
    const { password } = person;
    const started = await call('POST', '/api/dashboard/account/totp/start', firstBrowser, { password });
    const { secret, setupToken } = (await started.json()) as { secret: string; setupToken: string };
    const code = codeAt(secret, now);
    firstBrowser.storeCookies(
      await call('POST', '/api/dashboard/account/totp', firstBrowser, { setupToken, code }),
    );
    expect(await listSessions(firstBrowser)).toMatchObject([{ current: true, ip: '203.0.113.7' }]);
  });

  test('leave the list a day after their last use, and their rows are deleted when the session would end', async () => {
    const person = await api.createPerson();
    await signInFrom(person, '203.0.113.7');
    now += 24 * HOUR_MS;
    const firstBrowser = await signInFrom(person, '198.51.100.4');
    expect(await listSessions(firstBrowser)).toMatchObject([{ current: true }]);
    const where = { userId: person.userId };
    const system = { ...api.services, actor: { kind: 'system' } } as const;
    await deleteExpiredSessions(system);
    expect(await db.browserSession.count({ where })).toBe(2);
    now += 6 * 24 * HOUR_MS + 1;
    await deleteExpiredSessions(system);
    expect(await db.browserSession.count({ where })).toBe(1);
  });

  test('can sign in even while they cannot be listed', async () => {
    const person = await api.createPerson();
    await db.$executeRaw`alter table "BrowserSession" rename to "Away"`;
    try {
      expect(await isSignedIn(await signInFrom(person, '203.0.113.7'))).toBe(true);
    } finally {
      await db.$executeRaw`alter table "Away" rename to "BrowserSession"`;
    }
  });
});
