import { afterEach, describe, expect, test } from 'vitest';
import { createResetLink, resetFactors } from '@/lib/domain/accounts';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { passPasswordStep, codeAt, createFactorHelpers } from '@/app/api/testing/factors';
import { SignInClient } from '@/app/api/testing/sign-in-client';
import { baseUrl, createSessionCookie, openTestApi, type Person } from '@/app/api/testing/test-api';

/** Authenticator apps and recovery codes through the API and next-auth itself. */
let now = Date.now();
const clock = { now: () => new Date(now), monotonic: () => performance.now() };
const api = openTestApi(await createTestDatabase(), { clock });
const { db } = api.services;
const { createSignedInPerson, post, readFactors, isSignedIn, readActions, addAuthenticatorApp, addPasskey } =
  createFactorHelpers(api);
const STEP_MS = 30_000;
const codeOf = (secret: string, steps = 0) => codeAt(secret, now + steps * STEP_MS);
const readRejection = async (response: Response) =>
  new URL(((await response.json()) as { url: string }).url).searchParams.get('error');

/** Opens a browser that set a new password with a link and passed the password step. */
async function signInAfterReset({ email, ctx }: Person, ip?: string): Promise<SignInClient> {
  const client = new SignInClient(ip);
  const [, token] = (await createResetLink(ctx, email)).split('#');
  const password = `a pass phrase of ${crypto.randomUUID()}`;
  const body = { token, password };
  client.storeCookies(await api.request('POST', '/api/dashboard/password-reset', { origin: baseUrl, body }));
  expect((await client.signIn({ email, password })).status).toBe(401);
  expect(client.cookiesEndingWith('devices')).not.toBe('');
  return client;
}

describe('an authenticator app', () => {
  test('is required after the password, before there is a session', async () => {
    const person = await createSignedInPerson();
    const { secret, recoveryCodes } = await addAuthenticatorApp(person);
    expect(recoveryCodes).toHaveLength(10);
    const client = new SignInClient();
    const response = await client.signIn(person);
    expect([response.status, await readRejection(response)]).toEqual([401, 'SecondStep code recovery-code']);
    expect(client.cookiesEndingWith('session-token')).toBe('');
    expect((await client.post('callback/credentials', { code: '000000' })).status).toBe(401);
    now += STEP_MS;
    expect((await client.post('callback/credentials', { code: codeOf(secret) })).status).toBe(200);
    expect(await isSignedIn(client.cookie)).toBe(true);
    expect(await readActions(person)).toEqual(
      expect.arrayContaining(['account.totp-added', 'account.second-step-asked', 'account.sign-in-refused']),
    );
  });

  test('is not revealed by a wrong password', async () => {
    const person = await createSignedInPerson();
    await addAuthenticatorApp(person);
    const response = await new SignInClient().signIn({ email: person.email, password: 'not the password' });
    expect(await readRejection(response)).toBe('CredentialsSignin');
    expect(response.headers.getSetCookie().join()).not.toContain('second-step');
  });

  test('accepts a code once, also for concurrent requests', async () => {
    const person = await createSignedInPerson();
    const { secret } = await addAuthenticatorApp(person);
    const [first, second, third] = [
      await passPasswordStep(person),
      await passPasswordStep(person),
      await passPasswordStep(person),
    ];
    // The code that confirmed the setup cannot be used again.
    expect((await first.post('callback/credentials', { code: codeOf(secret) })).status).toBe(401);
    now += STEP_MS;
    const code = codeOf(secret);
    const responses = await Promise.all(
      [first, second].map((client) => client.post('callback/credentials', { code })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await third.post('callback/credentials', { code })).status).toBe(401);
    expect((await third.post('callback/credentials', { code: codeOf(secret, 1) })).status).toBe(200);
  });

  test('tolerates a clock difference of one step', async () => {
    const person = await createSignedInPerson();
    const { secret } = await addAuthenticatorApp(person);
    now += 5 * STEP_MS;
    const client = await passPasswordStep(person);
    expect((await client.post('callback/credentials', { code: codeOf(secret, 2) })).status).toBe(401);
    expect((await client.post('callback/credentials', { code: codeOf(secret, -2) })).status).toBe(401);
    expect((await client.post('callback/credentials', { code: codeOf(secret, -1) })).status).toBe(200);
  });

  test('wrong codes count toward the limit of sign-ins, also in known browsers', async () => {
    const person = await createSignedInPerson();
    const { secret } = await addAuthenticatorApp(person);
    now += STEP_MS;
    const knownBrowser = person.browser;
    await knownBrowser.signIn(person);
    const guess = () => knownBrowser.post('callback/credentials', { code: '000000' });
    for (let round = 0; round < 5; round += 1) expect((await guess()).status).toBe(401);
    const response = await knownBrowser.post('callback/credentials', { code: codeOf(secret) });
    expect([response.status, response.headers.has('retry-after')]).toEqual([429, true]);
  });

  test('has a limit of attempts that is separate from that of passwords, and that a reset link does not renew', async () => {
    const person = await createSignedInPerson();
    const { secret } = await addAuthenticatorApp(person);
    now += STEP_MS;
    const owner = await passPasswordStep(person);
    for (let guess = 0; guess < 13; guess += 1)
      await new SignInClient().signIn({ email: person.email, password: 'not the password' });
    expect((await owner.post('callback/credentials', { code: codeOf(secret) })).status).toBe(200);

    const mailReader = await signInAfterReset(person);
    for (let guess = 0; guess < 5; guess += 1)
      expect((await mailReader.post('callback/credentials', { code: '000000' })).status).toBe(401);
    now += STEP_MS;
    const again = await signInAfterReset(person, mailReader.ip);
    expect((await again.post('callback/credentials', { code: codeOf(secret) })).status).toBe(429);
  });

  test('the second step must follow within ten minutes, in the same browser, before all sessions of the account are ended', async () => {
    const person = await createSignedInPerson();
    const { secret } = await addAuthenticatorApp(person);
    const lateClient = await passPasswordStep(person);
    now += 10 * 60_000;
    const tooLate = await lateClient.post('callback/credentials', { code: codeOf(secret) });
    expect([tooLate.status, await readRejection(tooLate)]).toEqual([
      403,
      'This login has expired. Enter your password again',
    ]);
    const endedClient = await passPasswordStep(person);
    await db.account.update({ where: { id: person.userId }, data: { sessionVersion: { increment: 1 } } });
    expect((await endedClient.post('callback/credentials', { code: codeOf(secret) })).status).toBe(403);
    const other = new SignInClient();
    expect((await other.post('callback/credentials', { code: codeOf(secret) })).status).toBe(403);
    const forgingClient = await passPasswordStep(person);
    const [name = '', value = ''] = forgingClient.cookiesEndingWith('second-step').split('=');
    forgingClient.setCookie(
      name,
      value.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')),
    );
    expect((await forgingClient.post('callback/credentials', { code: codeOf(secret) })).status).toBe(403);
  });

  test('requires the password and a code to be switched off; then the password is sufficient', async () => {
    const person = await createSignedInPerson();
    const { secret } = await addAuthenticatorApp(person);
    const { password } = person;
    now += STEP_MS;
    expect(await post(person, 'totp/start', { password })).toMatchObject([409, {}]);
    expect((await post(person, 'totp/remove', { password: 'x', code: codeOf(secret) }))[0]).toBe(403);
    expect((await post(person, 'totp/remove', { password, code: '000000' }))[0]).toBe(403);
    expect((await post(person, 'totp/remove', { password, code: codeOf(secret) }))[0]).toBe(204);
    expect((await new SignInClient().signIn(person)).status).toBe(200);
    expect(await db.recoveryCode.count({ where: { userId: person.userId } })).toBe(0);
  });

  test('a setup expires, and belongs to the account that started it', async () => {
    const [person, stranger] = [await createSignedInPerson(), await createSignedInPerson()];
    const [, { secret = '', setupToken }] = await post(person, 'totp/start', { password: person.password });
    expect((await post(stranger, 'totp', { setupToken, code: codeOf(secret) }))[0]).toBe(422);
    expect((await post(person, 'totp', { setupToken, code: '000000' }))[0]).toBe(403);
    now += 16 * 60_000;
    expect((await post(person, 'totp', { setupToken, code: codeOf(secret) }))[0]).toBe(422);
    expect(await readFactors(person)).toMatchObject({ totp: null, recoveryCodesLeft: 0 });
  });

  test('a change ends the sessions of other browsers, but not of this one', async () => {
    const person = await createSignedInPerson();
    const other = new SignInClient();
    await other.signIn(person);
    await addAuthenticatorApp(person);
    expect([await isSignedIn(person.browser.cookie), await isSignedIn(other.cookie)]).toEqual([true, false]);
    await person.browser.get('session');
    expect(await isSignedIn(person.browser.cookie)).toBe(true);
  });
});

describe('a recovery code', () => {
  test('works once, for its account only, even with concurrent requests', async () => {
    const [person, stranger] = [await createSignedInPerson(), await createSignedInPerson()];
    const { recoveryCodes } = await addAuthenticatorApp(person);
    await addAuthenticatorApp(stranger);
    const [code = '', other = ''] = recoveryCodes;
    const elsewhere = await passPasswordStep(stranger);
    expect((await elsewhere.post('callback/credentials', { code })).status).toBe(401);
    const browsers = [await passPasswordStep(person), await passPasswordStep(person)];
    const responses = await Promise.all(
      browsers.map((client) => client.post('callback/credentials', { code: code.toUpperCase() })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await readFactors(person)).toMatchObject({ recoveryCodesLeft: 9 });
    expect(await readActions(person)).toContain('account.recovery-code-used');
    const [status, newCodes] = await post(person, 'recovery-codes', { password: person.password });
    expect([status, newCodes.recoveryCodes?.length]).toEqual([200, 10]);
    const earlierClient = await passPasswordStep(person);
    expect((await earlierClient.post('callback/credentials', { code: other })).status).toBe(401);
  });

  test('exists only while the account has a second factor', async () => {
    const person = await createSignedInPerson();
    expect((await post(person, 'recovery-codes', { password: person.password }))[0]).toBe(409);
  });
});

describe('REQUIRE_SECOND_FACTOR', () => {
  const { settings } = api.services;
  afterEach(() => void Object.assign(settings, { requireSecondFactor: 'off', operatorEmails: [] }));

  test('restricts a session without a factor to setting one up; API keys keep working', async () => {
    const person = await createSignedInPerson();
    Object.assign(settings, { requireSecondFactor: 'all' });
    const { cookie } = person.browser;
    const response = await api.request('GET', '/api/stream', { cookie });
    expect([response.status, await response.json()]).toMatchObject([
      403,
      {
        errors: ['this server requires two-step login: set it up at http://localhost:3000/settings/two-step'],
      },
    ]);
    expect((await api.request('GET', '/api/stream', { key: person.key })).status).toBe(200);
    await addAuthenticatorApp(person);
    expect((await api.request('GET', '/api/stream', { cookie: person.browser.cookie })).status).toBe(200);
  });

  test('applies to operators only if configured so, and not to sessions of the issuer', async () => {
    const [person, operator] = [await createSignedInPerson(), await createSignedInPerson()];
    Object.assign(settings, { requireSecondFactor: 'operators', operatorEmails: [operator.email] });
    expect(await isSignedIn(person.browser.cookie)).toBe(true);
    expect(await isSignedIn(operator.browser.cookie)).toBe(false);
    const byIssuer = await createSessionCookie(api.services, operator.userId, { byIssuer: true });
    expect(await isSignedIn(byIssuer)).toBe(true);
  });
});

test('an operator can remove all factors of an account', async () => {
  const person = await createSignedInPerson();
  await addAuthenticatorApp(person);
  await addPasskey(person);
  await resetFactors({ ...person.ctx, actor: { kind: 'cli', teamId: person.userId, userId: person.userId } });
  expect(await isSignedIn(person.browser.cookie)).toBe(false);
  expect((await new SignInClient().signIn(person)).status).toBe(200);
  expect(await readActions(person)).toContain('account.factors-reset');
});
