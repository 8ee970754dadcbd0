import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { SignInClient } from './sign-in-client';
import { SoftwareAuthenticator } from './software-authenticator';
import { baseUrl, type Person, type TestApi } from './test-api';

/** A person whose browser keeps the session cookie, which a change of factors renews. */
export interface Member extends Person {
  readonly browser: SignInClient;
}

/** Union of the responses of the two-step login endpoints. */
interface Answer {
  readonly challenge?: string;
  readonly secret?: string;
  readonly setupToken?: string;
  readonly recoveryCodes?: readonly string[] | null;
  readonly passkey?: { readonly id: string };
}

/** The code of an authenticator app with this secret. */
export const codeAt = (secret: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/** Opens a browser that has passed the password step. */
export async function afterPassword(person: Person): Promise<SignInClient> {
  const client = new SignInClient();
  expect((await client.signIn(person)).status).toBe(401);
  expect(client.take('session-token')).toBe('');
  return client;
}

export async function challengeFor(client: SignInClient, second = false): Promise<string> {
  const response = await client.get(`passkey-options${second ? '?second' : ''}`);
  return ((await response.json()) as { challenge: string }).challenge;
}

export const signInBy = (client: SignInClient, assertion: unknown, second = false): Promise<Response> =>
  client.post('callback/credentials', {
    passkey: JSON.stringify(assertion),
    ...(second ? { second: 'true' } : {}),
  });

/** Helpers to manage authentication factors of people on one test API. */
export function factorsOn(api: TestApi) {
  const { db, clock } = api.services;

  async function member(): Promise<Member> {
    const person = await api.person();
    const browser = new SignInClient();
    await browser.signIn(person);
    return { ...person, browser };
  }

  /** @param path below `/api/dashboard/account/` */
  async function post({ browser }: Member, path: string, body: object): Promise<[number, Answer]> {
    const options = { cookie: browser.cookie, origin: baseUrl, body };
    const response = await api.request('POST', `/api/dashboard/account/${path}`, options);
    browser.keep(response);
    const text = await response.text();
    return [response.status, text === '' ? {} : (JSON.parse(text) as Answer)];
  }

  async function factorsOf({ browser }: Member): Promise<object> {
    const response = await api.request('GET', '/api/dashboard/account/factors', { cookie: browser.cookie });
    return (await response.json()) as object;
  }

  async function isSignedIn(cookie: string): Promise<boolean> {
    return (await api.request('GET', '/api/user/me', { cookie })).status === 200;
  }

  async function actionsOf({ userId }: Person): Promise<string[]> {
    const lines = await db.auditEntry.findMany({ where: { teamId: userId }, orderBy: { createdAt: 'asc' } });
    return lines.map(({ action }) => action);
  }

  /** Sets up an authenticator app, which uses up the code of this moment. */
  async function withApp(person: Member): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
    const [, { secret = '', setupToken }] = await post(person, 'totp/start', { password: person.password });
    const code = codeAt(secret, clock.now().getTime());
    const [status, { recoveryCodes }] = await post(person, 'totp', { setupToken, code });
    expect(status).toBe(200);
    return { secret, recoveryCodes: recoveryCodes ?? [] };
  }

  async function withPasskey(person: Member, name = 'Laptop') {
    const authenticator = new SoftwareAuthenticator();
    const [, { challenge = '' }] = await post(person, 'passkeys/options', { password: person.password });
    const response = authenticator.register({ challenge });
    const [status, added] = await post(person, 'passkeys', { name, response });
    return { authenticator, status, added };
  }

  return { member, post, factorsOf, isSignedIn, actionsOf, withApp, withPasskey };
}
