import { encode } from 'next-auth/jwt';
import { expect, test } from 'vitest';
import { readSettings } from '@/lib/infra/env';
import { createSecrets } from '@/lib/infra/secrets';
import { claimOfCookie, sessionCookieName, sessionSecret, usesSecureCookies } from './session-cookie';

const keysFor = (baseUrl: string, appSecret = 's'.repeat(32)) => ({
  settings: readSettings({
    DATABASE_URL: 'postgres://x@localhost/x',
    APP_SECRET: appSecret,
    BASE_URL: baseUrl,
  }),
  secrets: createSecrets(appSecret),
});
const keys = keysFor('http://localhost:3000');
const now = new Date(1_767_225_600_000);

async function cookie(claims: object, from = keys, maxAge = 3_600): Promise<string> {
  const token = await encode({ token: { ...claims }, secret: sessionSecret(from), maxAge });
  return `a=b; ${sessionCookieName(from)}=${token}; c=d`;
}

const good = { sub: 'user', sessionId: 'one', sessionVersion: 2, signedInAt: now.getTime() - 1_000 };

test('a session cookie has the account and its session version', async () => {
  expect(await claimOfCookie(keys, await cookie(good), now)).toMatchObject({
    userId: 'user',
    sessionId: 'one',
    sessionVersion: 2,
  });
});

test('on https the cookie has the __Secure- prefix', () => {
  expect(sessionCookieName(keysFor('https://live.example'))).toBe('__Secure-next-auth.session-token');
  expect(usesSecureCookies(keysFor('https://live.example'))).toBe(true);
  expect(usesSecureCookies(keys)).toBe(false);
});

test.each<[string, () => Promise<string | null>]>([
  ['no cookie', () => Promise.resolve(null)],
  ['other cookies only', () => Promise.resolve('a=b; c')],
  ['garbage', () => Promise.resolve('next-auth.session-token=garbage')],
  ['a huge cookie', () => Promise.resolve(`next-auth.session-token=${'x'.repeat(10_000)}`)],
  ['another APP_SECRET', () => cookie(good, keysFor('http://localhost:3000', 't'.repeat(32)))],
  ['an expired cookie', () => cookie(good, keys, -60)],
  [
    'older than 7 days, despite renewals',
    () => cookie({ ...good, signedInAt: now.getTime() - 8 * 86_400_000 }),
  ],
  ['without the time of sign-in', () => cookie({ ...good, signedInAt: undefined })],
  ['without a session version', () => cookie({ ...good, sessionVersion: undefined })],
  ['without an account', () => cookie({ ...good, sub: undefined })],
  ['without a session that could be logged out', () => cookie({ ...good, sessionId: undefined })],
])('no session: %s', async (_, make) => {
  expect(await claimOfCookie(keys, await make(), now)).toBeNull();
});
