import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createResetLink, expireLinks, expireInvitations, inviteToSignUp } from '@/lib/domain/accounts';
import { createErrorBody } from '@/lib/core/reasons/reason';
import { createLimiters, limitSizes } from '@/lib/http/limits/rate-limit';
import { installServices } from '@/lib/http/services';
import { openMailer } from '@/lib/infra/mail/mailer';
import { startMailServer } from '@/lib/infra/testing/mail-server';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { SignInClient } from '@/app/api/testing/sign-in-client';
import { baseUrl, openTestApi, type Person } from '@/app/api/testing/test-api';

/** One-time links for a new password, a new address and an invitation, with a real mail server. */
const server = await startMailServer();
const log = { warn: () => undefined };
const mailer = openMailer({ smtpUrl: server.url, mailFrom: 'service@example.com' }, log as never);
let now = Date.now();
const clock = { now: () => new Date(now), monotonic: () => performance.now() };
const api = openTestApi(await createTestDatabase(), { mailer, clock });
const { db } = api.services;
const system = { ...api.services, actor: { kind: 'system' } } as const;
afterAll(() => server.close());
beforeEach(() => void ((server.mails as unknown[]).length = 0));

const HOUR_MS = 3_600_000;
const newPassword = 'brand new pass phrase';
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  api.request('POST', path, { origin: baseUrl, body, headers });
const resetPassword = (token: string, password = newPassword) =>
  post('/api/dashboard/password-reset', { token, password });
const requestLink = async (email: string) => {
  const response = await post('/api/dashboard/password-reset/request', { email });
  await mailer.waitUntilIdle();
  return [response.status, await response.text()];
};
const parseToken = (text: string | undefined, page: string) =>
  new RegExp(`${page}([\\w-]+)`).exec(text ?? '')?.[1] ?? '';
const createResetToken = async (person: Person) =>
  parseToken(await createResetLink(system, person.email), '/reset-password#');
/** Whether the sign-in succeeds, in a browser without cookies. */
const canSignIn = async (email: string, password: string) =>
  (await new SignInClient().signIn({ email, password })).status === 200;
const readActions = async ({ teamId }: Person) =>
  (await db.auditEntry.findMany({ where: { teamId }, orderBy: { createdAt: 'asc' } })).map(
    ({ action }) => action,
  );

describe('a password reset link', () => {
  const invalidLinkError = createErrorBody([
    {
      field: 'token',
      message: 'this link is incomplete, has expired or was used already. Request a new one.',
    },
  ]);

  test('sets a new password once and ends the sign-in sessions', async () => {
    const person = await api.createPerson();
    const [token, other] = [await createResetToken(person), await createResetToken(person)];
    const requestMe = () => api.request('GET', '/api/user/me', { cookie: person.cookie });
    expect((await requestMe()).status).toBe(200);
    const response = await resetPassword(token);
    expect([response.status, await response.json()]).toEqual([200, { email: person.email }]);
    expect((await requestMe()).status).toBe(401);
    expect(await canSignIn(person.email, person.password)).toBe(false);
    expect(await canSignIn(person.email, newPassword)).toBe(true);
    // Using the link also invalidates the other links of the account.
    for (const usedToken of [token, other]) {
      const again = await resetPassword(usedToken, 'yet another pass phrase');
      expect([again.status, await again.json()]).toEqual([403, invalidLinkError]);
    }
    expect(await readActions(person)).toEqual(
      expect.arrayContaining(['account.reset-link-created', 'account.password-reset']),
    );
  });

  test('works for a person who is locked out by guesses of others, even while these continue', async () => {
    const person = await api.createPerson();
    const signInAs = (client: SignInClient, password: string) =>
      client.signIn({ email: person.email, password });
    const lockOut = async () => {
      for (let guess = 0; guess < 13; guess += 1) await signInAs(new SignInClient(), 'not the password');
      return (await signInAs(new SignInClient(), newPassword)).status;
    };
    const owner = new SignInClient();
    for (let guess = 0; guess < 5; guess += 1) await signInAs(owner, 'not the password');
    expect(await lockOut()).toBe(429);
    expect((await signInAs(owner, person.password)).status).toBe(429);

    const response = await api.request('POST', '/api/dashboard/password-reset', {
      origin: baseUrl,
      body: { token: await createResetToken(person), password: newPassword },
      headers: { 'x-forwarded-for': owner.ip },
    });
    // The new password works everywhere, even for a browser without cookies.
    expect((await signInAs(new SignInClient(), newPassword)).status).toBe(200);
    expect((await signInAs(new SignInClient(owner.ip), newPassword)).status).toBe(200);

    owner.storeCookies(response);
    expect(await lockOut()).toBe(429);
    expect((await signInAs(owner, newPassword)).status).toBe(200);
    // The browser stays known after it logs in, and its guesses are limited.
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess += 1) statuses.push((await signInAs(owner, 'a mistake')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('that is invalid does not make a browser known', async () => {
    const response = await resetPassword('x');
    expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
  });

  test('is accepted for one of several concurrent requests', async () => {
    const token = await createResetToken(await api.createPerson());
    const answers = await Promise.all(Array.from({ length: 4 }, () => resetPassword(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
  });

  test('works for an hour', async () => {
    const person = await api.createPerson();
    const [early, late] = [await createResetToken(person), await createResetToken(person)];
    now += HOUR_MS - 1;
    // The link is still valid: only the password is rejected.
    expect((await resetPassword(early, 'common')).status).toBe(422);
    now += 1;
    expect((await resetPassword(late)).status).toBe(403);
    expect(await expireLinks({ ...system, clock: { ...clock, now: () => new Date(now + 1) } })).toBe(2);
  });

  test('that is invalid in any way gets the same response', async () => {
    const person = await api.createPerson();
    const token = await createResetToken(person);
    const forgedToken = token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA');
    const suspended = await api.createPerson();
    const ofSuspended = await createResetToken(suspended);
    await db.account.update({ where: { id: suspended.userId }, data: { suspended: true } });
    const { url } = await inviteToSignUp(system, null, null);
    const invalidTokens = [
      'x',
      token.slice(1),
      forgedToken,
      ofSuspended,
      parseToken(url, 'invitation='),
      token.toUpperCase(),
    ];
    for (const other of invalidTokens) {
      const response = await resetPassword(other);
      expect([response.status, await response.json()]).toEqual([403, invalidLinkError]);
    }
    expect((await resetPassword(token)).status).toBe(200);
  });

  test('rejects a common password and stays valid', async () => {
    const token = await createResetToken(await api.createPerson());
    expect((await resetPassword(token, 'password123')).status).toBe(422);
    expect((await resetPassword(token)).status).toBe(200);
  });

  test('is invalid after the password has changed', async () => {
    const person = await api.createPerson();
    const token = await createResetToken(person);
    const { cookie, password: currentPassword } = person;
    const body = { currentPassword, newPassword: 'a third pass phrase' };
    await api.request('POST', '/api/dashboard/account/password', { cookie, origin: baseUrl, body });
    expect((await resetPassword(token)).status).toBe(403);
  });

  test('allows a limited number of guesses', async () => {
    installServices({ ...api.services, limiters: createLimiters(limitSizes) });
    const requestHeaders = { 'x-forwarded-for': '203.0.113.9' };
    const guess = () =>
      post('/api/dashboard/password-reset', { token: 'x', password: newPassword }, requestHeaders);
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1) statuses.push((await guess()).status);
    installServices(api.services);
    expect([statuses.filter((status) => status === 403).length, statuses.at(-1)]).toEqual([20, 429]);
  });
});

describe('requesting a reset link', () => {
  test('sends it to the address of an account, and responds alike for every address', async () => {
    const person = await api.createPerson();
    expect(await requestLink(person.email)).toEqual([204, '']);
    expect(await requestLink(`unknown-${person.email}`)).toEqual([204, '']);
    expect(server.mails.map(({ to }) => to)).toEqual([[person.email]]);
    expect((await resetPassword(parseToken(server.mails[0]?.text, '/reset-password#'))).status).toBe(200);
  });

  test('sends nothing for a suspended account', async () => {
    const person = await api.createPerson();
    await db.account.update({ where: { id: person.userId }, data: { suspended: true } });
    expect(await requestLink(person.email)).toEqual([204, '']);
    expect(server.mails).toEqual([]);
  });

  test('sends at most three mails an hour', async () => {
    const person = await api.createPerson();
    for (let count = 0; count < 5; count += 1) expect(await requestLink(person.email)).toEqual([204, '']);
    expect(server.mails).toHaveLength(3);
    now += HOUR_MS;
    await requestLink(person.email);
    expect(server.mails).toHaveLength(4);
  });

  test('without a mail server names the operator to ask', async () => {
    installServices({ ...api.services, mailer: null });
    const [status, text] = await requestLink('ada@example.com');
    installServices(api.services);
    expect(status).toBe(503);
    expect(text).toContain('Ask the server operator for a link');
  });
});

describe('changing the email address', () => {
  const change = (person: Person, email: string, password = person.password) =>
    api.request('POST', '/api/dashboard/account/email', {
      cookie: person.cookie,
      origin: baseUrl,
      body: { email, password },
    });
  const confirm = (token: string) => post('/api/dashboard/email-confirmation', { token });
  const newAddress = () => `new-${crypto.randomUUID()}@example.com`;
  const emailOf = async ({ userId }: Person) =>
    (await db.account.findUniqueOrThrow({ where: { id: userId } })).email;

  const isConfirmed = async ({ userId }: Person) =>
    (await db.account.findUniqueOrThrow({ where: { id: userId } })).emailProvenAt !== null;

  test('waits for the link that is sent to the new address', async () => {
    const person = await api.createPerson();
    const email = newAddress();
    const before = await createResetToken(person);
    const response = await change(person, email);
    expect([response.status, await response.json()]).toEqual([200, { confirmationSent: true }]);
    expect(await emailOf(person)).toBe(person.email);
    expect(await isConfirmed(person)).toBe(false);
    expect(server.mails.map(({ to }) => to)).toEqual([[email]]);
    const token = parseToken(server.mails[0]?.text, '/confirm-email#');
    const confirmResponse = await confirm(token);
    expect([confirmResponse.status, await confirmResponse.json()]).toEqual([200, { email }]);
    expect(await emailOf(person)).toBe(email);
    expect(await isConfirmed(person)).toBe(true);
    expect(await canSignIn(email, person.password)).toBe(true);
    // Links that were sent to the old address are invalid.
    expect((await resetPassword(before)).status).toBe(403);
    expect((await confirm(token)).status).toBe(403);
    expect(await readActions(person)).toContain('account.email-changed');
  });

  test('requires the password', async () => {
    const person = await api.createPerson();
    expect((await change(person, newAddress(), 'a wrong pass phrase')).status).toBe(403);
    expect(server.mails).toEqual([]);
  });

  test('to the address of another account fails at the confirmation, not earlier', async () => {
    const [person, other] = [await api.createPerson(), await api.createPerson()];
    expect((await change(person, other.email)).status).toBe(200);
    expect((await confirm(parseToken(server.mails[0]?.text, '/confirm-email#'))).status).toBe(409);
    expect(await emailOf(person)).toBe(person.email);
  });

  test('sends at most five mails an hour', async () => {
    const person = await api.createPerson();
    for (let count = 0; count < 5; count += 1) expect((await change(person, newAddress())).status).toBe(200);
    expect((await change(person, newAddress())).status).toBe(429);
    expect(server.mails).toHaveLength(5);
  });

  test('without a mail server happens immediately, but not to the address of an operator or another account', async () => {
    const [person, other] = [await api.createPerson(), await api.createPerson()];
    const operatorAddress = newAddress();
    const settings = { ...api.services.settings, operatorEmails: [operatorAddress] };
    installServices({ ...api.services, settings, mailer: null });
    const answers = [];
    for (const takenAddress of [operatorAddress, other.email]) {
      const response = await change(person, takenAddress);
      answers.push([response.status, await response.json()]);
    }
    const email = newAddress();
    await db.account.update({ where: { id: person.userId }, data: { emailProvenAt: new Date() } });
    const changed = await change(person, email);
    installServices(api.services);
    const unusableAddressError = createErrorBody([
      { field: 'email', message: 'this address cannot be used, choose another one' },
    ]);
    expect(answers).toMatchObject([[409, unusableAddressError], [409, unusableAddressError]]); // prettier-ignore
    expect([changed.status, await changed.json()]).toEqual([200, { confirmationSent: false }]);
    expect(await emailOf(person)).toBe(email);
    expect(await isConfirmed(person)).toBe(false);
    expect(server.mails).toEqual([]);
  });
});

describe('with SIGN_UP=invite', () => {
  const operator = `operator-${crypto.randomUUID()}@example.com`;
  const settings = { ...api.services.settings, signUp: 'invite', operatorEmails: [operator] } as const;
  const operatorContext = { ...system, settings };
  beforeEach(() => {
    installServices({ ...api.services, settings });
    return () => installServices(api.services);
  });
  const newVisitor = () => ({ email: `guest-${crypto.randomUUID()}@example.com`, password: newPassword });
  const tokenFor = async (email: string | null = null) =>
    parseToken((await inviteToSignUp(operatorContext, email, null)).url, '/signup\\?invitation=');
  const signUp = async (body: object) => {
    const response = await post('/api/dashboard/accounts', body);
    return { status: response.status, text: await response.text() };
  };

  test('sign-up without an invitation is rejected', async () => {
    expect(await signUp(newVisitor())).toEqual({
      status: 403,
      text: JSON.stringify(
        createErrorBody([
          'sign-up on this server is by invitation. Ask the server operator for an invitation link.',
        ]),
      ),
    });
  });

  test('each invitation lets one person sign up', async () => {
    const invitation = await tokenFor();
    const first = newVisitor();
    expect((await signUp({ ...first, invitation })).status).toBe(201);
    expect(await canSignIn(first.email, newPassword)).toBe(true);
    expect((await signUp({ ...newVisitor(), invitation })).status).toBe(403);
    const other = await tokenFor();
    const answers = await Promise.all([1, 2, 3].map(() => signUp({ ...newVisitor(), invitation: other })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
  });

  test('an invitation for an address is valid for that address only', async () => {
    const body = newVisitor();
    const invitation = await tokenFor(body.email);
    expect((await signUp({ ...newVisitor(), invitation })).status).toBe(403);
    expect((await signUp({ ...body, email: body.email.toUpperCase(), invitation })).status).toBe(201);
  });

  test('an operator signs up with an invitation for their address, and with no other', async () => {
    const operatorCount = () => db.account.count({ where: { email: operator } });
    expect(
      (await signUp({ email: operator, password: newPassword, invitation: await tokenFor() })).status,
    ).toBe(201);
    expect(await operatorCount()).toBe(0);
    const invitation = await tokenFor(operator);
    expect((await signUp({ email: operator, password: newPassword, invitation })).status).toBe(201);
    expect(await operatorCount()).toBe(1);
  });

  test('an address that has an account gets the response of a success, and the invitation stays valid', async () => {
    const person = await api.createPerson();
    const invitation = await tokenFor();
    expect((await signUp({ email: person.email, password: newPassword, invitation })).status).toBe(201);
    expect(await canSignIn(person.email, newPassword)).toBe(false);
    expect((await signUp({ ...newVisitor(), invitation })).status).toBe(201);
  });

  test('an invitation is valid for seven days, and is deleted a month later', async () => {
    const invitation = await tokenFor();
    now += 7 * 24 * HOUR_MS;
    expect((await signUp({ ...newVisitor(), invitation })).status).toBe(403);
    const later = { ...clock, now: () => new Date(now + 31 * 24 * HOUR_MS) };
    expect(await expireInvitations({ ...system, clock: later })).toBeGreaterThan(0);
  });

  test('an invitation is mailed, or the response says that it was not', async () => {
    const { email } = newVisitor();
    expect(await inviteToSignUp(operatorContext, email, mailer)).toMatchObject({ mailed: true });
    expect(server.mails.map(({ to }) => to)).toEqual([[email]]);
    const invitation = parseToken(server.mails[0]?.text, '/signup\\?invitation=');
    expect((await signUp({ email, password: newPassword, invitation })).status).toBe(201);
    server.reject(1);
    expect(await inviteToSignUp(operatorContext, newVisitor().email, mailer)).toMatchObject({
      mailed: false,
    });
  });
});
