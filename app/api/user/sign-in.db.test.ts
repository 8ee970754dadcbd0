import { describe, expect, test, vi } from 'vitest';
import { deleteExpiredSessions } from '@/lib/domain/accounts';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { SignInClient } from '@/app/api/testing/sign-in-client';
import { baseUrl, openTestApi } from '@/app/api/testing/test-api';

/** Signing in to the dashboard through next-auth itself. */
const api = openTestApi(await createTestDatabase());
const { db, clock, log, secrets, settings } = api.services;
const anonymous = { actor: { kind: 'anonymous' }, db, clock, log, secrets, settings } as const;

const readRejection = async (response: Response) => {
  const { url } = (await response.json()) as { url: string };
  return new URL(url).searchParams.get('error');
};
const countEntries = (userId: string, action: string) => db.auditEntry.count({ where: { userId, action } });

describe('signing in', () => {
  test('verifies five of 200 concurrent guesses', async () => {
    const person = await api.createPerson('burst');
    const client = new SignInClient();
    await client.get('csrf');
    const guesses = Array.from({ length: 200 }, (_, index) =>
      client.guess({
        email: person.email,
        password: index === 150 ? person.password : `guess number ${index}`,
      }),
    );
    const responses = await Promise.all(guesses);
    const verified = await Promise.all(
      responses.map(async (answer) => answer.status !== 429 && (await readRejection(answer))),
    );
    expect(verified.filter((code) => code === 'CredentialsSignin')).toHaveLength(5);
    expect(await countEntries(person.userId, 'account.sign-in-refused')).toBe(5);
    expect(await countEntries(person.userId, 'account.signed-in')).toBe(0);
  });

  test('counts wrong passwords toward the limit, but not right ones', async () => {
    const person = await api.createPerson('typing');
    const client = new SignInClient();
    for (let round = 0; round < 7; round += 1) expect((await client.signIn(person)).status).toBe(200);
    const stranger = new SignInClient();
    const wrongCredentials = { email: person.email.toUpperCase(), password: 'not the password' };
    for (let round = 0; round < 5; round += 1)
      expect((await stranger.signIn(wrongCredentials)).status).toBe(401);
    const response = await stranger.signIn(person);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await readRejection(response)).toMatch(
      /^Too many attempts to log in\. Try again in 1[45] minutes$/,
    );
    expect((await new SignInClient().signIn(person)).status).toBe(200);
  });

  test('has one limit for all addresses of an IPv6 network', async () => {
    const person = await api.createPerson('network');
    const wrongCredentials = { email: person.email, password: 'not the password' };
    const statuses: number[] = [];
    for (let host = 1; host <= 6; host += 1) {
      statuses.push((await new SignInClient(`2001:db8:77:1::${host}`).signIn(wrongCredentials)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

describe('logging out', () => {
  const isSignedIn = async (cookie: string) =>
    (await api.request('GET', '/api/user/me', { cookie, origin: baseUrl })).status === 200;

  test('ends this session for every copy of its cookie, and no other session', async () => {
    const person = await api.createPerson('logged-out');
    const [firstBrowser, secondBrowser] = [new SignInClient(), new SignInClient()];
    await firstBrowser.signIn(person);
    await secondBrowser.signIn(person);
    const capturedCookie = firstBrowser.cookie;
    await firstBrowser.get('session');
    const renewedCookie = firstBrowser.cookie;
    expect(renewedCookie).not.toBe(capturedCookie);
    expect(await isSignedIn(capturedCookie)).toBe(true);
    expect((await firstBrowser.post('signout')).status).toBe(200);
    expect(firstBrowser.cookiesEndingWith('session-token')).toBe('');
    expect([await isSignedIn(capturedCookie), await isSignedIn(renewedCookie)]).toEqual([false, false]);
    expect(await isSignedIn(secondBrowser.cookie)).toBe(true);
    expect(await countEntries(person.userId, 'account.signed-out')).toBe(1);

    const thief = new SignInClient();
    thief.setCookie(
      'next-auth.session-token',
      capturedCookie.split('session-token=')[1]?.split(';')[0] ?? '',
    );
    expect(await (await thief.get('session')).json()).toEqual({});
    expect(thief.cookiesEndingWith('session-token')).toBe('');
  });

  test('is stored until the session would have expired', async () => {
    const person = await api.createPerson('remembered');
    const client = new SignInClient();
    await client.signIn(person);
    await client.post('signout');
    const where = { userId: person.userId };
    const { endsAt } = await db.endedBrowserSession.findFirstOrThrow({ where });
    expect(endsAt.getTime()).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
    const system = { ...anonymous, actor: { kind: 'system' } } as const;
    await deleteExpiredSessions(system);
    expect(await db.endedBrowserSession.count({ where })).toBe(1);
    const later = () => new Date(endsAt.getTime() + 1);
    await deleteExpiredSessions({ ...system, clock: { ...anonymous.clock, now: later } });
    expect(await db.endedBrowserSession.count({ where })).toBe(0);
  });

  test('fails if the end of the session cannot be stored, and the session continues', async () => {
    const person = await api.createPerson('outage');
    const client = new SignInClient();
    await client.signIn(person);
    const { cookie } = client;
    await db.$executeRaw`alter table "EndedBrowserSession" rename to "Away"`;
    try {
      expect((await client.post('signout')).status).toBeGreaterThanOrEqual(500);
      expect(client.cookiesEndingWith('session-token')).not.toBe('');
      // A renewal of the cookie that could not reach the database does not end the session.
      expect((await client.get('session')).status).toBe(200);
      expect(client.cookiesEndingWith('session-token')).not.toBe('');
    } finally {
      await db.$executeRaw`alter table "Away" rename to "EndedBrowserSession"`;
    }
    expect(await isSignedIn(cookie)).toBe(true);
  });
});

test('the _log endpoint of next-auth writes no lines to the log of the server', async () => {
  const lines: unknown[] = [];
  const warn = vi
    .spyOn(api.services.log, 'warn')
    .mockImplementation((...line: unknown[]) => void lines.push(line));
  const error = vi
    .spyOn(api.services.log, 'error')
    .mockImplementation((...line: unknown[]) => void lines.push(line));
  const client = new SignInClient();
  for (const level of ['error', 'warn', 'debug', 'no such level']) {
    expect((await client.post('_log', { level, code: 'FORGED', message: 'line' })).status).toBe(204);
  }
  expect(lines).toEqual([]);
  warn.mockRestore();
  error.mockRestore();
});

describe('the page after sign-in', () => {
  test.each([
    ['/streams?status=active', '/streams?status=active'],
    [`${baseUrl}/streams`, '/streams'],
    ['https://evil.test/phish', '/'],
    ['/.//evil.test/', '/'],
    ['/%2e//evil.test/', '/'],
    ['//evil.test/', '/'],
    ['/\\evil.test/', '/'],
    ['not a URL', '/'],
  ])('and after log-out is, for the callbackUrl %j, %s of this site', async (callbackUrl, path) => {
    const person = await api.createPerson('way');
    const client = new SignInClient();
    const { email, password } = person;
    const signedIn = await client.post('callback/credentials', { email, password, callbackUrl });
    expect(await signedIn.json()).toEqual({ url: `${baseUrl}${path}` });
    const signedOut = await client.post('signout', { callbackUrl });
    expect(await signedOut.json()).toEqual({ url: `${baseUrl}${path}` });
  });
});

describe('guessing the password of another account', () => {
  const lockOut = async (email: string) => {
    for (let guess = 0; guess < 100; guess += 1) {
      await new SignInClient().signIn({ email, password: `guess number ${guess}` });
    }
  };

  test('does not lock the owner out of a browser that signed in before', async () => {
    const person = await api.createPerson('owner');
    const knownBrowser = new SignInClient();
    await knownBrowser.signIn(person);
    knownBrowser.deleteCookies('session-token');
    await lockOut(person.email);

    const stranger = new SignInClient();
    const response = await stranger.signIn(person);
    expect(response.status).toBe(429);
    expect(await readRejection(response)).toMatch(/Try again in 3 hours$/);

    expect((await knownBrowser.signIn({ ...person, password: 'a typing mistake' })).status).toBe(401);
    expect((await knownBrowser.signIn(person)).status).toBe(200);
    // A known browser has a separate limit.
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess += 1) {
      statuses.push((await knownBrowser.signIn({ ...person, password: 'a typing mistake' })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
  });

  test('is not helped by the device cookie of another account, a forged one, or one from before a password change', async () => {
    const [person, other] = [await api.createPerson('victim'), await api.createPerson('attacker')];
    const [ownClient, otherClient] = [new SignInClient(), new SignInClient()];
    await ownClient.signIn(person);
    await otherClient.signIn(other);
    // The value is `<account>.<device>.<signature>`; several accounts are separated by `~`.
    const deviceCookieOf = (client: SignInClient) => client.cookiesEndingWith('devices').split('=')[1] ?? '';
    const [owner = '', device = '', signature = ''] = deviceCookieOf(ownClient).split('.');
    const [, , foreign = ''] = deviceCookieOf(otherClient).split('.');
    const forgedCookies = [
      deviceCookieOf(otherClient),
      deviceCookieOf(otherClient).replace(/^[^.]+/, owner),
      [owner, device, foreign].join('.'),
      [owner, crypto.randomUUID(), signature].join('.'),
      [owner, device, signature.slice(0, -2)].join('.'),
    ];
    await lockOut(person.email);
    for (const forgedCookie of forgedCookies) {
      const client = new SignInClient();
      client.setCookie('headwater.devices', forgedCookie);
      expect((await client.signIn(person)).status).toBe(429);
    }
    // One browser can be known for both accounts.
    const sharedBrowser = new SignInClient();
    sharedBrowser.setCookie(
      'headwater.devices',
      `${deviceCookieOf(otherClient)}~${deviceCookieOf(ownClient)}`,
    );
    expect((await sharedBrowser.signIn(person)).status).toBe(200);
    expect(deviceCookieOf(sharedBrowser).split('~')).toHaveLength(2);

    const newPassword = 'another long pass phrase';
    const response = await api.request('POST', '/api/dashboard/account/password', {
      cookie: ownClient.cookie,
      origin: baseUrl,
      body: { currentPassword: person.password, newPassword },
    });
    expect(response.status).toBe(204);
    expect((await sharedBrowser.signIn({ ...person, password: newPassword })).status).toBe(429);
    // Only the browser that changed the password remains known.
    ownClient.storeCookies(response);
    expect((await ownClient.signIn({ ...person, password: newPassword })).status).toBe(200);
  });

  test('the device cookie is not readable for scripts, and is set by a successful sign-in only', async () => {
    const person = await api.createPerson('cookie');
    const response = await new SignInClient().signIn(person);
    const line = response.headers.getSetCookie().find((cookie) => cookie.startsWith('headwater.devices='));
    expect(line).toMatch(/; Path=\/api; Max-Age=34560000; HttpOnly; SameSite=Lax$/);
    const rejected = await new SignInClient().signIn({ ...person, password: 'not the password' });
    expect(rejected.headers.getSetCookie().join()).not.toContain('devices');
  });
});
