import { omitUndefined } from '@/lib/core/omit-undefined';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from '@/lib/domain/accounts';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { installServices } from '@/lib/http/services';
import { SignInClient } from '@/app/api/testing/sign-in-client';
import { baseUrl, endpoints, openTestApi } from '@/app/api/testing/test-api';

/** Tests of every way to get an account. Sign-up is closed (SIGN_UP=closed) unless a test opens it. */
const api = openTestApi(await createTestDatabase());
const closedServices = { ...api.services, settings: { ...api.services.settings, signUp: 'closed' } } as const;
beforeAll(() => installServices(closedServices));

const countAccounts = () => api.services.db.account.count();
const newVisitor = () => ({
  email: `${crypto.randomUUID()}@example.com`,
  password: 'a long pass phrase',
});

describe('closed sign-up', () => {
  test('is rejected with an explanation of how to get an account', async () => {
    const before = await countAccounts();
    const response = await api.request('POST', '/api/dashboard/accounts', {
      origin: baseUrl,
      body: newVisitor(),
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      errors: ['sign-up is closed on this server. Ask the server operator for an account.'],
    });
    expect(await countAccounts()).toBe(before);
  });

  test('gives known addresses the same response', async () => {
    const person = newVisitor();
    await createAccount({ ...closedServices, actor: { kind: 'system' } }, person);
    const response = await api.request('POST', '/api/dashboard/accounts', { origin: baseUrl, body: person });
    expect(response.status).toBe(403);
  });

  test('lets no public endpoint create an account', async () => {
    const before = await countAccounts();
    for (const { auth, method, path, example } of endpoints) {
      if (auth !== 'public') continue;
      const url = path.replace(/\{[^}]+\}/g, crypto.randomUUID());
      const options = omitUndefined({ body: example.body });
      await api.request(method, url, { ...options, origin: baseUrl });
    }
    expect(await countAccounts()).toBe(before);
  });

  test.each([
    'callback/credentials', 'signin/credentials', 'signin', 'register', 'signup', 'callback/email', 'signin/email',
    'session', 'verify-request', '_log',
  ])('POST /api/auth/%s creates no account and opens no session', async (action) => {
    const before = await countAccounts();
    const client = new SignInClient();
    await client.post(action, { ...newVisitor(), callbackUrl: '/' });
    expect(client.cookiesEndingWith('session-token')).toBe('');
    expect(await countAccounts()).toBe(before);
  }); // prettier-ignore

  test("the operator's command line still creates accounts, and they can sign in", async () => {
    const person = newVisitor();
    await createAccount({ ...closedServices, actor: { kind: 'system' } }, person);
    expect((await new SignInClient().signIn(person)).status).toBe(200);
  });
});

test('sign-up with the address of an operator creates no account, and gets the response of a success', async () => {
  const person = newVisitor();
  const settings = { ...api.services.settings, operatorEmails: [person.email] };
  installServices({ ...api.services, settings });
  try {
    const before = await countAccounts();
    const body = { ...person, email: person.email.toUpperCase() };
    const response = await api.request('POST', '/api/dashboard/accounts', { origin: baseUrl, body });
    expect([response.status, await response.json()]).toEqual([201, { email: person.email }]);
    expect(await countAccounts()).toBe(before);
  } finally {
    installServices(closedServices);
  }
});

describe('without a CSRF token', () => {
  test.each(['callback/credentials', 'signout', 'session'])(
    'POST /api/auth/%s changes nothing',
    async (action) => {
      const person = newVisitor();
      await createAccount({ ...closedServices, actor: { kind: 'system' } }, person);
      const client = new SignInClient();
      await client.signIn(person);
      const cookie = client.cookiesEndingWith('session-token');
      await client.send('POST', action, { ...person, csrfToken: 'made up', json: 'true' });
      expect(client.cookiesEndingWith('session-token')).toBe(cookie);
      const stranger = new SignInClient();
      await stranger.send('POST', action, { ...person, json: 'true' });
      expect(stranger.cookiesEndingWith('session-token')).toBe('');
    },
  );
});
