import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { forgetUsedChallenges, resetFactors } from '@/lib/accounts';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { SignInClient } from '@/app/api/testing/sign-in-client';
import { SoftwareAuthenticator } from '@/app/api/testing/software-authenticator';
import { baseUrl, openTestApi, type Person } from '@/app/api/testing/test-api';

/** Authenticator apps, recovery codes and passkeys: through the API and next-auth itself. */
let now = Date.now();
const clock = { now: () => new Date(now), monotonic: () => performance.now() };
const api = openTestApi(await testDatabase(), { clock });
const { db } = api.services;
const stepMs = 30_000;

/** A person whose browser keeps the cookie that changes of factors renew. */
interface Member extends Person {
  readonly browser: SignInClient;
}

async function member(): Promise<Member> {
  const person = await api.person();
  const browser = new SignInClient();
  await browser.signIn(person);
  return { ...person, browser };
}

async function post(
  { browser }: Pick<Member, 'browser'>,
  path: string,
  body: object,
): Promise<[number, Record<string, never>]> {
  const options = { cookie: browser.cookie, origin: baseUrl, body };
  const response = await api.request('POST', `/api/dashboard/account/${path}`, options);
  browser.keep(response);
  const text = await response.text();
  return [response.status, (text ? JSON.parse(text) : {}) as Record<string, never>];
}

const factorsOf = async ({ browser }: Member) =>
  (await (
    await api.request('GET', '/api/dashboard/account/factors', { cookie: browser.cookie })
  ).json()) as object;
const isSignedIn = async (cookie: string) =>
  (await api.request('GET', '/api/user/me', { cookie })).status === 200;
const actions = async ({ userId }: Person) =>
  (await db.auditEntry.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } })).map(
    ({ action }) => action,
  );
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * stepMs });
const refusalOf = async (response: Response) =>
  new URL(((await response.json()) as { url: string }).url).searchParams.get('error');

/** Sets up an authenticator app; its code of this moment is used up. */
async function withApp(person: Member): Promise<{ secret: string; recoveryCodes: string[] }> {
  const [, { secret, setupToken }] = await post(person, 'totp/start', { password: person.password });
  const code = codeOf(secret ?? '');
  const [status, { recoveryCodes }] = await post(person, 'totp', { setupToken, code });
  expect(status).toBe(200);
  return { secret: secret ?? '', recoveryCodes: recoveryCodes ?? [] };
}

async function withPasskey(person: Member, name = 'Laptop') {
  const authenticator = new SoftwareAuthenticator();
  const [, { challenge = '' }] = await post(person, 'passkeys/options', { password: person.password });
  const response = authenticator.register({ challenge });
  const [status, added] = await post(person, 'passkeys', { name, response });
  return { authenticator, status, added: added as { passkey?: { id: string }; recoveryCodes?: string[] } };
}

/** A browser whose password was right. */
async function afterPassword(person: Person): Promise<SignInClient> {
  const client = new SignInClient();
  expect((await client.signIn(person)).status).toBe(401);
  expect(client.take('session-token')).toBe('');
  return client;
}

const challengeFor = async (client: SignInClient, second = false) =>
  ((await (await client.get(`passkey-options${second ? '?second' : ''}`)).json()) as { challenge: string })
    .challenge;
const signInBy = (client: SignInClient, assertion: unknown, second = false) =>
  client.post('callback/credentials', {
    passkey: JSON.stringify(assertion),
    ...(second ? { second: 'true' } : {}),
  });

describe('an authenticator app', () => {
  test('is asked for after the password, and before there is a session', async () => {
    const person = await member();
    const { secret, recoveryCodes } = await withApp(person);
    expect(recoveryCodes).toHaveLength(10);
    const client = new SignInClient();
    const refused = await client.signIn(person);
    expect([refused.status, await refusalOf(refused)]).toEqual([401, 'SecondStep code recovery-code']);
    expect(client.take('session-token')).toBe('');
    expect((await client.post('callback/credentials', { code: '000000' })).status).toBe(401);
    now += stepMs;
    expect((await client.post('callback/credentials', { code: codeOf(secret) })).status).toBe(200);
    expect(await isSignedIn(client.cookie)).toBe(true);
    expect(await actions(person)).toEqual(
      expect.arrayContaining(['account.totp-added', 'account.second-step-asked', 'account.sign-in-refused']),
    );
  });

  test('a wrong password says nothing of it', async () => {
    const person = await member();
    await withApp(person);
    const refused = await new SignInClient().signIn({ email: person.email, password: 'not the password' });
    expect(await refusalOf(refused)).toBe('CredentialsSignin');
    expect(refused.headers.getSetCookie().join()).not.toContain('second-step');
  });

  test('a code works once, and for one of two at the same moment', async () => {
    const person = await member();
    const { secret } = await withApp(person);
    const [first, second, third] = [
      await afterPassword(person),
      await afterPassword(person),
      await afterPassword(person),
    ];
    // The one of the setup was used.
    expect((await first.post('callback/credentials', { code: codeOf(secret) })).status).toBe(401);
    now += stepMs;
    const code = codeOf(secret);
    const answers = await Promise.all(
      [first, second].map((client) => client.post('callback/credentials', { code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await third.post('callback/credentials', { code })).status).toBe(401);
    expect((await third.post('callback/credentials', { code: codeOf(secret, 1) })).status).toBe(200);
  });

  test('clocks may differ by one step', async () => {
    const person = await member();
    const { secret } = await withApp(person);
    now += 5 * stepMs;
    const client = await afterPassword(person);
    expect((await client.post('callback/credentials', { code: codeOf(secret, 2) })).status).toBe(401);
    expect((await client.post('callback/credentials', { code: codeOf(secret, -2) })).status).toBe(401);
    expect((await client.post('callback/credentials', { code: codeOf(secret, -1) })).status).toBe(200);
  });

  test('wrong codes use the limit of sign-ins up, also in known browsers', async () => {
    const person = await member();
    const { secret } = await withApp(person);
    now += stepMs;
    const known = person.browser;
    await known.signIn(person);
    const guess = () => known.post('callback/credentials', { code: '000000' });
    for (let round = 0; round < 5; round += 1) expect((await guess()).status).toBe(401);
    const refused = await known.post('callback/credentials', { code: codeOf(secret) });
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
  });

  test('the second step comes within ten minutes, to a session that was not ended, from the same browser', async () => {
    const person = await member();
    const { secret } = await withApp(person);
    const late = await afterPassword(person);
    now += 10 * 60_000;
    const tooLate = await late.post('callback/credentials', { code: codeOf(secret) });
    expect([tooLate.status, await refusalOf(tooLate)]).toEqual([
      403,
      'This login has expired. Enter your password again',
    ]);
    const ended = await afterPassword(person);
    await db.account.update({ where: { id: person.userId }, data: { sessionVersion: { increment: 1 } } });
    expect((await ended.post('callback/credentials', { code: codeOf(secret) })).status).toBe(403);
    const other = new SignInClient();
    expect((await other.post('callback/credentials', { code: codeOf(secret) })).status).toBe(403);
    const forged = await afterPassword(person);
    const [name = '', value = ''] = forged.take('second-step').split('=');
    forged.put(
      name,
      value.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')),
    );
    expect((await forged.post('callback/credentials', { code: codeOf(secret) })).status).toBe(403);
  });

  test('needs the password and a code to be switched off; then the password is enough', async () => {
    const person = await member();
    const { secret } = await withApp(person);
    const { password } = person;
    now += stepMs;
    expect(await post(person, 'totp/start', { password })).toMatchObject([409, {}]);
    expect((await post(person, 'totp/remove', { password: 'x', code: codeOf(secret) }))[0]).toBe(403);
    expect((await post(person, 'totp/remove', { password, code: '000000' }))[0]).toBe(403);
    expect((await post(person, 'totp/remove', { password, code: codeOf(secret) }))[0]).toBe(204);
    expect((await new SignInClient().signIn(person)).status).toBe(200);
    expect(await db.recoveryCode.count({ where: { userId: person.userId } })).toBe(0);
  });

  test('a setup expires, and belongs to the account that began it', async () => {
    const [person, stranger] = [await member(), await member()];
    const [, { secret = '', setupToken }] = await post(person, 'totp/start', { password: person.password });
    expect((await post(stranger, 'totp', { setupToken, code: codeOf(secret) }))[0]).toBe(422);
    expect((await post(person, 'totp', { setupToken, code: '000000' }))[0]).toBe(403);
    now += 16 * 60_000;
    expect((await post(person, 'totp', { setupToken, code: codeOf(secret) }))[0]).toBe(422);
    expect(await factorsOf(person)).toMatchObject({ totp: null, recoveryCodesLeft: 0 });
  });

  test('a change ends the sessions of other browsers, not of this one', async () => {
    const person = await member();
    const other = new SignInClient();
    await other.signIn(person);
    await withApp(person);
    expect([await isSignedIn(person.browser.cookie), await isSignedIn(other.cookie)]).toEqual([true, false]);
    await person.browser.get('session');
    expect(await isSignedIn(person.browser.cookie)).toBe(true);
  });
});

describe('a recovery code', () => {
  test('works once, for one of two at the same moment, and for its account', async () => {
    const [person, stranger] = [await member(), await member()];
    const { recoveryCodes } = await withApp(person);
    await withApp(stranger);
    const [code = '', other = ''] = recoveryCodes;
    const elsewhere = await afterPassword(stranger);
    expect((await elsewhere.post('callback/credentials', { code })).status).toBe(401);
    const browsers = [await afterPassword(person), await afterPassword(person)];
    const answers = await Promise.all(
      browsers.map((client) => client.post('callback/credentials', { code: code.toUpperCase() })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await factorsOf(person)).toMatchObject({ recoveryCodesLeft: 9 });
    expect(await actions(person)).toContain('account.recovery-code-used');
    const [status, made] = await post(person, 'recovery-codes', { password: person.password });
    expect([status, (made as { recoveryCodes: string[] }).recoveryCodes.length]).toEqual([200, 10]);
    const old = await afterPassword(person);
    expect((await old.post('callback/credentials', { code: other })).status).toBe(401);
  });

  test('there are none without a factor', async () => {
    const person = await member();
    expect((await post(person, 'recovery-codes', { password: person.password }))[0]).toBe(409);
  });
});

describe('a passkey', () => {
  test('signs in alone, with any number of factors', async () => {
    const person = await member();
    await withApp(person);
    const { authenticator, status, added } = await withPasskey(person);
    expect([status, added.recoveryCodes]).toEqual([201, null]);
    now += 1;
    expect((await withPasskey(person, 'Phone')).status).toBe(201);
    const client = new SignInClient();
    const userHandle = Buffer.from(person.userId.replaceAll('-', ''), 'hex').toString('base64url');
    const assertion = authenticator.sign({ challenge: await challengeFor(client), userHandle });
    expect((await signInBy(client, assertion)).status).toBe(200);
    expect(await isSignedIn(client.cookie)).toBe(true);
    expect(await factorsOf(person)).toMatchObject({ passkeys: [{ lastUsedAt: now }, { lastUsedAt: null }] });
    expect(await actions(person)).toContain('account.signed-in-with-passkey');
  });

  test('is the second step after the password of its account only', async () => {
    const [person, stranger] = [await member(), await member()];
    const { authenticator, added } = await withPasskey(person);
    expect(added.recoveryCodes).toHaveLength(10);
    const { authenticator: foreign } = await withPasskey(stranger);
    const client = await afterPassword(person);
    const byStranger = foreign.sign({ challenge: await challengeFor(client, true) });
    expect((await signInBy(client, byStranger, true)).status).toBe(401);
    // A challenge of a sign-in without password is another one.
    const alone = authenticator.sign({ challenge: await challengeFor(client) });
    expect((await signInBy(client, alone, true)).status).toBe(401);
    const right = authenticator.sign({ challenge: await challengeFor(client, true) });
    expect((await signInBy(client, right, true)).status).toBe(200);
    expect(await isSignedIn(client.cookie)).toBe(true);
  });

  test.each<[string, (client: SignInClient, authenticator: SoftwareAuthenticator) => Promise<unknown>]>([
    [
      'of another origin',
      async (client, key) =>
        key.sign({ challenge: await challengeFor(client), origin: 'https://evil.example' }),
    ],
    [
      'of another site',
      async (client, key) => key.sign({ challenge: await challengeFor(client), rpId: 'evil.example' }),
    ],
    [
      'without user verification',
      async (client, key) => key.sign({ challenge: await challengeFor(client), verified: false }),
    ],
    [
      'for the challenge of another browser',
      async (_, key) => key.sign({ challenge: await challengeFor(new SignInClient()) }),
    ],
    [
      'for an invented challenge',
      async (client, key) => (await challengeFor(client), key.sign({ challenge: 'A'.repeat(51) })),
    ],
    [
      'for another account',
      async (client, key) => key.sign({ challenge: await challengeFor(client), userHandle: 'AAAA' }),
    ],
    [
      'that is too late',
      async (client, key) => {
        const challenge = await challengeFor(client);
        now += 5 * 60_000;
        return key.sign({ challenge });
      },
    ],
    [
      'of another key',
      async (client, key) => {
        const { response } = new SoftwareAuthenticator().sign({ challenge: await challengeFor(client) });
        return { ...key.sign({ challenge: 'A' }), response };
      },
    ],
    ['that is garbage', () => Promise.resolve({ id: 'a' })],
  ])('an answer %s opens no session', async (_, answer) => {
    const person = await member();
    const { authenticator } = await withPasskey(person);
    const client = new SignInClient();
    const assertion = await answer(client, authenticator);
    expect((await signInBy(client, assertion)).status).toBe(401);
    expect(client.take('session-token')).toBe('');
  });

  test('an answer works once, and for one of two at the same moment', async () => {
    const person = await member();
    const { authenticator } = await withPasskey(person);
    const client = new SignInClient();
    await client.get('csrf');
    const assertion = authenticator.sign({ challenge: await challengeFor(client) });
    const answers = await Promise.all([signInBy(client, assertion), signInBy(client, assertion)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await signInBy(client, assertion)).status).toBe(401);
    now += 6 * 60_000;
    expect(await forgetUsedChallenges({ ...api.services, actor: { kind: 'system' } })).toBeGreaterThan(0);
    expect((await signInBy(client, assertion)).status).toBe(401);
  });

  test('whose counter went back is refused', async () => {
    const person = await member();
    const { authenticator } = await withPasskey(person);
    const client = new SignInClient();
    authenticator.counter = 9;
    const signIn = async () =>
      signInBy(client, authenticator.sign({ challenge: await challengeFor(client) }));
    expect((await signIn()).status).toBe(200);
    authenticator.counter = 8;
    expect((await signIn()).status).toBe(401);
    authenticator.counter = 10;
    expect((await signIn()).status).toBe(200);
  });

  test('of a suspended account opens no session', async () => {
    const person = await member();
    const { authenticator } = await withPasskey(person);
    await db.account.update({ where: { id: person.userId }, data: { suspended: true } });
    const client = new SignInClient();
    const assertion = authenticator.sign({ challenge: await challengeFor(client) });
    expect((await signInBy(client, assertion)).status).toBe(401);
  });

  test('is added once, with user verification, for the challenge of this account', async () => {
    const [person, stranger] = [await member(), await member()];
    const options = async (whose: Member) =>
      ((await post(whose, 'passkeys/options', { password: whose.password }))[1] as { challenge: string })
        .challenge;
    const add = async (response: object) => (await post(person, 'passkeys', { name: 'Key', response }))[0];
    const key = new SoftwareAuthenticator();
    expect(await add(key.register({ challenge: await options(stranger) }))).toBe(422);
    expect(await add(key.register({ challenge: await options(person), verified: false }))).toBe(422);
    expect(
      await add(key.register({ challenge: await options(person), origin: 'https://evil.example' })),
    ).toBe(422);
    const response = key.register({ challenge: await options(person) });
    expect(await add(response)).toBe(201);
    expect(await add(response)).toBe(422);
    expect(await add(key.register({ challenge: await options(person) }))).toBe(409);
  });

  test('an account has up to 20', async () => {
    const person = await member();
    const { userId } = person;
    await db.passkey.createMany({
      data: Array.from({ length: 19 }, () => ({
        id: crypto.randomUUID(),
        userId,
        name: 'Key',
        credentialId: crypto.randomUUID(),
        publicKey: Buffer.alloc(1),
        counter: 0,
        createdAt: new Date(now),
      })),
    });
    const [last, over] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()];
    const { password } = person;
    const challenges = [
      (await post(person, 'passkeys/options', { password }))[1] as { challenge: string },
      (await post(person, 'passkeys/options', { password }))[1] as { challenge: string },
    ];
    const statuses: number[] = [];
    for (const [index, key] of [last, over].entries()) {
      const { challenge = '' } = challenges[index] ?? {};
      statuses.push(
        (await post(person, 'passkeys', { name: 'Key', response: key.register({ challenge }) }))[0],
      );
    }
    expect(statuses).toEqual([201, 409]);
    expect((await post(person, 'passkeys/options', { password }))[0]).toBe(409);
  });

  test('that was removed opens nothing; the recovery codes go with the last one', async () => {
    const person = await member();
    const { authenticator, added } = await withPasskey(person);
    const { password } = person;
    const path = `passkeys/${added.passkey?.id ?? ''}/remove`;
    expect((await post(person, path, { password: 'x' }))[0]).toBe(403);
    expect((await post(person, path, { password }))[0]).toBe(204);
    expect(await factorsOf(person)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
    const client = new SignInClient();
    const assertion = authenticator.sign({ challenge: await challengeFor(client) });
    expect((await signInBy(client, assertion)).status).toBe(401);
    expect((await client.signIn(person)).status).toBe(200);
  });
});

test('an operator removes every factor of an account', async () => {
  const person = await member();
  await withApp(person);
  await withPasskey(person);
  await resetFactors({ ...person.ctx, actor: { kind: 'cli', userId: person.userId } });
  expect(await isSignedIn(person.browser.cookie)).toBe(false);
  expect((await new SignInClient().signIn(person)).status).toBe(200);
  expect(await actions(person)).toContain('account.factors-reset');
});
