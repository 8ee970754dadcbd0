import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { SignInClient } from './sign-in-client';
import { SoftwareAuthenticator } from './software-authenticator';
import { baseUrl, type Person, type TestApi } from './test-api';

/** A person with a signed-in browser. A change of factors renews the session cookie in that browser. */
export interface SignedInPerson extends Person {
  readonly browser: SignInClient;
}

/** Fields of the responses of all endpoints for two-step login. */
interface FactorResponse {
  readonly challenge?: string;
  readonly secret?: string;
  readonly setupToken?: string;
  readonly recoveryCodes?: readonly string[] | null;
  readonly passkey?: { readonly id: string };
}

/** The code that an authenticator app with this secret shows at `timestamp`, in milliseconds since 1970. */
export const codeAt = (secret: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/** Opens a browser that has passed the password step and must pass a second one. */
export async function passPasswordStep(person: Person): Promise<SignInClient> {
  const client = new SignInClient();
  expect((await client.signIn(person)).status).toBe(401);
  expect(client.cookiesEndingWith('session-token')).toBe('');
  return client;
}

/**
 * Requests a challenge for a sign-in with a passkey.
 * @param isSecondStep whether the passkey follows the password
 */
export async function requestChallenge(client: SignInClient, isSecondStep = false): Promise<string> {
  const response = await client.get(`passkey-options${isSecondStep ? '?second' : ''}`);
  return ((await response.json()) as { challenge: string }).challenge;
}

export const signInWithPasskey = (
  client: SignInClient,
  assertion: unknown,
  isSecondStep = false,
): Promise<Response> =>
  client.post('callback/credentials', {
    passkey: JSON.stringify(assertion),
    ...(isSecondStep ? { second: 'true' } : {}),
  });

/** Helpers to manage authentication factors of people on one test API. */
export function createFactorHelpers(api: TestApi) {
  const { db, clock } = api.services;

  async function createSignedInPerson(): Promise<SignedInPerson> {
    const person = await api.createPerson();
    const browser = new SignInClient();
    await browser.signIn(person);
    return { ...person, browser };
  }

  /** @param path below `/api/dashboard/account/` */
  async function post(
    { browser }: SignedInPerson,
    path: string,
    body: object,
  ): Promise<[number, FactorResponse]> {
    const options = { cookie: browser.cookie, origin: baseUrl, body };
    const response = await api.request('POST', `/api/dashboard/account/${path}`, options);
    browser.storeCookies(response);
    const text = await response.text();
    return [response.status, text === '' ? {} : (JSON.parse(text) as FactorResponse)];
  }

  async function readFactors({ browser }: SignedInPerson): Promise<object> {
    const response = await api.request('GET', '/api/dashboard/account/factors', { cookie: browser.cookie });
    return (await response.json()) as object;
  }

  async function isSignedIn(cookie: string): Promise<boolean> {
    return (await api.request('GET', '/api/user/me', { cookie })).status === 200;
  }

  async function readActions({ userId }: Person): Promise<string[]> {
    const entries = await db.auditEntry.findMany({
      where: { teamId: userId },
      orderBy: { createdAt: 'asc' },
    });
    return entries.map(({ action }) => action);
  }

  /** Sets up an authenticator app. The code of this moment is used up by the setup. */
  async function addAuthenticatorApp(
    person: SignedInPerson,
  ): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
    const [, { secret = '', setupToken }] = await post(person, 'totp/start', { password: person.password });
    const code = codeAt(secret, clock.now().getTime());
    const [status, { recoveryCodes }] = await post(person, 'totp', { setupToken, code });
    expect(status).toBe(200);
    return { secret, recoveryCodes: recoveryCodes ?? [] };
  }

  async function addPasskey(person: SignedInPerson, name = 'Laptop') {
    const authenticator = new SoftwareAuthenticator();
    const [, { challenge = '' }] = await post(person, 'passkeys/options', { password: person.password });
    const response = authenticator.register({ challenge });
    const [status, added] = await post(person, 'passkeys', { name, response });
    return { authenticator, status, added };
  }

  return {
    createSignedInPerson,
    post,
    readFactors,
    isSignedIn,
    readActions,
    addAuthenticatorApp,
    addPasskey,
  };
}
