import { encode } from 'next-auth/jwt';
import { expect, test } from 'vitest';
import { readSettings } from '@/lib/infra/env';
import { createSecrets } from '@/lib/infra/secrets';
import { readSessionClaim, sessionCookieName, sessionSecret, usesSecureCookies } from './session-cookie';

const createKeys = (baseUrl: string, appSecret = 's'.repeat(32)) => ({
  settings: readSettings({
    DATABASE_URL: 'postgres://x@localhost/x',
    APP_SECRET: appSecret,
    BASE_URL: baseUrl,
  }),
  secrets: createSecrets(appSecret),
});
const keys = createKeys('http://localhost:3000');
const now = new Date('2026-01-01T00:00:00Z');

/** A Cookie header with a session cookie between two others. */
async function createCookie(claims: object, cookieKeys = keys, maxAgeSeconds = 3_600): Promise<string> {
  const token = await encode({
    token: { ...claims },
    secret: sessionSecret(cookieKeys),
    maxAge: maxAgeSeconds,
  });
  return `a=b; ${sessionCookieName(cookieKeys)}=${token}; c=d`;
}

const validClaims = { sub: 'user', sessionId: 'one', sessionVersion: 2, signedInAt: now.getTime() - 1_000 };

test('a valid cookie yields the account, the session and its version', async () => {
  expect(await readSessionClaim(keys, await createCookie(validClaims), now)).toMatchObject({
    userId: 'user',
    sessionId: 'one',
    sessionVersion: 2,
  });
});

test('on https the cookie has the __Secure- prefix', () => {
  expect(sessionCookieName(createKeys('https://live.example'))).toBe('__Secure-next-auth.session-token');
  expect(usesSecureCookies(createKeys('https://live.example'))).toBe(true);
  expect(usesSecureCookies(keys)).toBe(false);
});

test.each<[string, () => Promise<string | null>]>([
  ['no cookie', () => Promise.resolve(null)],
  ['other cookies only', () => Promise.resolve('a=b; c')],
  ['a token that is not a JWT', () => Promise.resolve('next-auth.session-token=garbage')],
  ['a huge cookie', () => Promise.resolve(`next-auth.session-token=${'x'.repeat(10_000)}`)],
  [
    'another APP_SECRET',
    () => createCookie(validClaims, createKeys('http://localhost:3000', 't'.repeat(32))),
  ],
  ['an expired cookie', () => createCookie(validClaims, keys, -60)],
  [
    'a session older than 7 days, despite renewals',
    () => createCookie({ ...validClaims, signedInAt: now.getTime() - 8 * 86_400_000 }),
  ],
  ['a session without the time of sign-in', () => createCookie({ ...validClaims, signedInAt: undefined })],
  ['a session without a version', () => createCookie({ ...validClaims, sessionVersion: undefined })],
  ['a session without an account', () => createCookie({ ...validClaims, sub: undefined })],
  [
    'a session without an id, which could not be logged out',
    () => createCookie({ ...validClaims, sessionId: undefined }),
  ],
])('a Cookie header without a valid session yields null: %s', async (_, createHeader) => {
  expect(await readSessionClaim(keys, await createHeader(), now)).toBeNull();
});
