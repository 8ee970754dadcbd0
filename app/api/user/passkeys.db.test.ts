import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '@/lib/core/units';
import { expireChallenges } from '@/lib/domain/accounts';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import {
  passPasswordStep,
  requestChallenge,
  createFactorHelpers,
  signInWithPasskey,
  type SignedInPerson,
} from '@/app/api/testing/factors';
import { SignInClient } from '@/app/api/testing/sign-in-client';
import { SoftwareAuthenticator } from '@/app/api/testing/software-authenticator';
import { openTestApi } from '@/app/api/testing/test-api';

/** Time of the service, ms since 1970, which the tests advance. Their requests go to the API and to next-auth itself. */
let now = Date.now();
const clock = { now: () => new Date(now), monotonic: () => performance.now() };
const api = openTestApi(await createTestDatabase(), { clock });
const { db } = api.services;
const { createSignedInPerson, post, readFactors, isSignedIn, readActions, addAuthenticatorApp, addPasskey } =
  createFactorHelpers(api);

describe('a passkey', () => {
  test('signs in without a password, whatever other factors exist', async () => {
    const person = await createSignedInPerson();
    await addAuthenticatorApp(person);
    const { authenticator, status, added } = await addPasskey(person);
    expect([status, added.recoveryCodes]).toEqual([201, null]);
    now += 1;
    expect((await addPasskey(person, 'Phone')).status).toBe(201);
    const client = new SignInClient();
    const userHandle = Buffer.from(person.userId.replaceAll('-', ''), 'hex').toString('base64url');
    const assertion = authenticator.sign({ challenge: await requestChallenge(client), userHandle });
    expect((await signInWithPasskey(client, assertion)).status).toBe(200);
    expect(await isSignedIn(client.cookie)).toBe(true);
    expect(await readFactors(person)).toMatchObject({
      passkeys: [{ lastUsedAt: now }, { lastUsedAt: null }],
    });
    expect(await readActions(person)).toContain('account.signed-in-with-passkey');
  });

  test('is the second step after the password of its own account only', async () => {
    const [person, stranger] = [await createSignedInPerson(), await createSignedInPerson()];
    const { authenticator, added } = await addPasskey(person);
    expect(added.recoveryCodes).toHaveLength(10);
    const { authenticator: foreign } = await addPasskey(stranger);
    const client = await passPasswordStep(person);
    const byStranger = foreign.sign({ challenge: await requestChallenge(client, true) });
    expect((await signInWithPasskey(client, byStranger, true)).status).toBe(401);
    // The challenge of a sign-in without password is not accepted as a second step.
    const firstStepResponse = authenticator.sign({ challenge: await requestChallenge(client) });
    expect((await signInWithPasskey(client, firstStepResponse, true)).status).toBe(401);
    const validResponse = authenticator.sign({ challenge: await requestChallenge(client, true) });
    expect((await signInWithPasskey(client, validResponse, true)).status).toBe(200);
    expect(await isSignedIn(client.cookie)).toBe(true);
  });

  test.each<[string, (client: SignInClient, authenticator: SoftwareAuthenticator) => Promise<unknown>]>([
    [
      'of another origin',
      async (client, key) =>
        key.sign({ challenge: await requestChallenge(client), origin: 'https://evil.example' }),
    ],
    [
      'of another site',
      async (client, key) => key.sign({ challenge: await requestChallenge(client), rpId: 'evil.example' }),
    ],
    [
      'without user verification',
      async (client, key) => key.sign({ challenge: await requestChallenge(client), isUserVerified: false }),
    ],
    [
      'for the challenge of another browser',
      async (_, key) => key.sign({ challenge: await requestChallenge(new SignInClient()) }),
    ],
    [
      'for an invented challenge',
      async (client, key) => (await requestChallenge(client), key.sign({ challenge: 'A'.repeat(51) })),
    ],
    [
      'for another account',
      async (client, key) => key.sign({ challenge: await requestChallenge(client), userHandle: 'AAAA' }),
    ],
    [
      'that is too late',
      async (client, key) => {
        const challenge = await requestChallenge(client);
        now += 5 * MINUTE_MS;
        return key.sign({ challenge });
      },
    ],
    [
      'of another key',
      async (client, key) => {
        const { response } = new SoftwareAuthenticator().sign({ challenge: await requestChallenge(client) });
        return { ...key.sign({ challenge: 'A' }), response };
      },
    ],
    ['that is garbage', () => Promise.resolve({ id: 'a' })],
  ])('response %s opens no session', async (_, createAssertion) => {
    const person = await createSignedInPerson();
    const { authenticator } = await addPasskey(person);
    const client = new SignInClient();
    const assertion = await createAssertion(client, authenticator);
    expect((await signInWithPasskey(client, assertion)).status).toBe(401);
    expect(client.cookiesEndingWith('session-token')).toBe('');
  });

  test('response works once, even with concurrent requests', async () => {
    const person = await createSignedInPerson();
    const { authenticator } = await addPasskey(person);
    const client = new SignInClient();
    await client.get('csrf');
    const assertion = authenticator.sign({ challenge: await requestChallenge(client) });
    const responses = await Promise.all([
      signInWithPasskey(client, assertion),
      signInWithPasskey(client, assertion),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await signInWithPasskey(client, assertion)).status).toBe(401);
    now += 6 * MINUTE_MS;
    expect(await expireChallenges({ ...api.services, actor: { kind: 'system' } })).toBeGreaterThan(0);
    expect((await signInWithPasskey(client, assertion)).status).toBe(401);
  });

  test('whose counter decreased is rejected', async () => {
    const person = await createSignedInPerson();
    const { authenticator } = await addPasskey(person);
    const client = new SignInClient();
    authenticator.counter = 9;
    const signIn = async () =>
      signInWithPasskey(client, authenticator.sign({ challenge: await requestChallenge(client) }));
    expect((await signIn()).status).toBe(200);
    authenticator.counter = 8;
    expect((await signIn()).status).toBe(401);
    authenticator.counter = 10;
    expect((await signIn()).status).toBe(200);
  });

  test('of a suspended account opens no session', async () => {
    const person = await createSignedInPerson();
    const { authenticator } = await addPasskey(person);
    await db.account.update({ where: { id: person.userId }, data: { suspended: true } });
    const client = new SignInClient();
    const assertion = authenticator.sign({ challenge: await requestChallenge(client) });
    expect((await signInWithPasskey(client, assertion)).status).toBe(401);
  });

  test('is added once, with user verification, for the challenge of this account', async () => {
    const [person, stranger] = [await createSignedInPerson(), await createSignedInPerson()];
    const requestRegistrationChallenge = async (whose: SignedInPerson) =>
      (await post(whose, 'passkeys/options', { password: whose.password }))[1].challenge ?? '';
    const add = async (response: object) => (await post(person, 'passkeys', { name: 'Key', response }))[0];
    const key = new SoftwareAuthenticator();
    expect(await add(key.register({ challenge: await requestRegistrationChallenge(stranger) }))).toBe(422);
    expect(
      await add(
        key.register({ challenge: await requestRegistrationChallenge(person), isUserVerified: false }),
      ),
    ).toBe(422);
    expect(
      await add(
        key.register({
          challenge: await requestRegistrationChallenge(person),
          origin: 'https://evil.example',
        }),
      ),
    ).toBe(422);
    const response = key.register({ challenge: await requestRegistrationChallenge(person) });
    expect(await add(response)).toBe(201);
    expect(await add(response)).toBe(422);
    expect(await add(key.register({ challenge: await requestRegistrationChallenge(person) }))).toBe(409);
  });

  test('can be added until the account has 20', async () => {
    const person = await createSignedInPerson();
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
    const [twentieth, twentyFirst] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()];
    const { password } = person;
    const challenges = [
      (await post(person, 'passkeys/options', { password }))[1],
      (await post(person, 'passkeys/options', { password }))[1],
    ];
    const statuses: number[] = [];
    for (const [index, key] of [twentieth, twentyFirst].entries()) {
      const { challenge = '' } = challenges[index] ?? {};
      statuses.push(
        (await post(person, 'passkeys', { name: 'Key', response: key.register({ challenge }) }))[0],
      );
    }
    expect(statuses).toEqual([201, 409]);
    expect((await post(person, 'passkeys/options', { password }))[0]).toBe(409);
  });

  test('that was removed opens no session; the recovery codes are deleted with the last passkey', async () => {
    const person = await createSignedInPerson();
    const { authenticator, added } = await addPasskey(person);
    const { password } = person;
    const path = `passkeys/${added.passkey?.id ?? ''}/remove`;
    expect((await post(person, path, { password: 'x' }))[0]).toBe(403);
    expect((await post(person, path, { password }))[0]).toBe(204);
    expect(await readFactors(person)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
    const client = new SignInClient();
    const assertion = authenticator.sign({ challenge: await requestChallenge(client) });
    expect((await signInWithPasskey(client, assertion)).status).toBe(401);
    expect((await client.signIn(person)).status).toBe(200);
  });
});
