import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inviteToSignUp } from '@/lib/domain/accounts';
import { readSettings } from '@/lib/infra/env';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { SignInClient } from '@/app/api/testing/sign-in-client';
import { baseUrl, openTestApi } from '@/app/api/testing/test-api';

/** Signs in at a real OpenID Connect issuer, through next-auth itself. */
interface Visitor {
  readonly subject: string;
  readonly email: string;
  /** The claim `email_verified`; true by default. */
  readonly isVerified?: boolean;
}
const visitors = new Map<string, Visitor>();
/** The person who signs in at the next interaction. */
let visitor: Visitor = { subject: 'unknown', email: 'unknown@example.com' };
let listener: RequestListener = (_, response) => response.end();
const server = createServer((request, response) => listener(request, response));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const databaseUrl = await createTestDatabase();
const settings = readSettings({
  DATABASE_URL: databaseUrl,
  APP_SECRET: 'test'.repeat(10),
  LOG_LEVEL: 'silent',
  SIGN_UP: 'closed',
  OPERATOR_EMAILS: 'chief@example.com',
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'headwater',
  OIDC_CLIENT_SECRET: 'not a secret',
  OIDC_ALLOWED_DOMAINS: 'Example.com',
});
const api = openTestApi(databaseUrl, { settings });
const { db } = api.services;

beforeAll(() => {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'headwater',
        client_secret: 'not a secret',
        redirect_uris: [`${baseUrl}/api/auth/callback/oidc`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    cookies: { keys: ['test'], short: { path: '/' } },
    findAccount: (_, id) => {
      const knownVisitor = visitors.get(id);
      const claims = {
        sub: id,
        email: knownVisitor?.email,
        email_verified: knownVisitor?.isVerified ?? true,
      };
      return knownVisitor && { accountId: id, claims: () => claims };
    },
    loadExistingGrant: async (ctx) => {
      const accountId = ctx.oidc.session?.accountId;
      const clientId = ctx.oidc.client?.clientId;
      const grant = new ctx.oidc.provider.Grant({
        ...(accountId && { accountId }),
        ...(clientId && { clientId }),
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const handleIssuerRequest = provider.callback();
  listener = (request, response) => {
    if (request.url?.startsWith('/interaction')) {
      const result = { login: { accountId: visitor.subject } };
      void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    } else {
      handleIssuerRequest(request, response);
    }
  };
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const createVisitor = (name: string, more: Partial<Visitor> = {}): Visitor => {
  const subject = `${name}-${crypto.randomUUID()}`;
  const newVisitor = { subject, email: `${subject}@example.com`, ...more };
  visitors.set(subject, newVisitor);
  return newVisitor;
};

/**
 * Follows the redirects of a browser at the issuer.
 * @returns the URL of this service to which the issuer redirects
 */
async function visitIssuer(startUrl: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = startUrl;
  for (let hop = 0; hop < 8; hop += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=', 2);
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`the issuer answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url).href;
    if (url.startsWith(baseUrl)) return new URL(url);
  }
  throw new Error('the issuer never came back');
}

async function startSignIn(client: SignInClient, callbackUrl = '/streams'): Promise<string> {
  const response = await client.post('signin/oidc', { callbackUrl });
  return ((await response.json()) as { url: string }).url;
}

async function returnFromIssuer(client: SignInClient, { search }: URL): Promise<string> {
  const response = await client.send('GET', `callback/oidc${search}`);
  return response.headers.get('location') ?? '';
}

async function signIn(
  signingVisitor: Visitor,
  client = new SignInClient(),
  callbackUrl?: string,
): Promise<{ to: string; client: SignInClient }> {
  visitor = signingVisitor;
  return {
    to: await returnFromIssuer(client, await visitIssuer(await startSignIn(client, callbackUrl))),
    client,
  };
}

const rejectionUrl = (reason: string) => `${baseUrl}/login?error=${reason}&next=%2Fstreams`;
const readMeStatus = async (client: SignInClient) => {
  const { cookie } = client;
  const response = await api.request('GET', '/api/user/me', { cookie, origin: baseUrl });
  return response.status;
};
const readEmailValid = async ({ cookie }: SignInClient) => {
  const response = await api.request('GET', '/api/user/me', { cookie, origin: baseUrl });
  return ((await response.json()) as { emailValid: boolean }).emailValid;
};
const readActions = async (userId: string) => {
  const entries = await db.auditEntry.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } });
  return entries.map(({ action }) => action);
};

test('the first sign-in creates an account of an allowed domain, the next one finds it by its subject', async () => {
  const ada = createVisitor('ada');
  const first = await signIn(ada);
  expect(first.to).toBe(`${baseUrl}/streams`);
  expect(await readMeStatus(first.client)).toBe(200);
  expect(await readEmailValid(first.client)).toBe(true);
  expect(first.client.cookiesEndingWith('devices')).not.toBe('');
  const account = await db.account.findUniqueOrThrow({ where: { email: ada.email } });
  expect([...(await readActions(account.id))].sort()).toEqual([
    'account.created',
    'account.identity-linked',
    'account.signed-in-with-oidc',
  ]);
  visitors.set(ada.subject, { ...ada, email: `moved-${ada.email}` });
  expect(await readMeStatus((await signIn(ada)).client)).toBe(200);
  expect(await db.oidcIdentity.count({ where: { userId: account.id } })).toBe(1);
  expect(await db.account.count({ where: { email: `moved-${ada.email}` } })).toBe(0);
});

test('an account with the verified address is linked, and its old password and sessions become invalid', async () => {
  const person = await api.createPerson('linked');
  const squatter = new SignInClient();
  await squatter.signIn(person);
  expect(await readEmailValid(squatter)).toBe(false);
  const { to, client } = await signIn(createVisitor('linked', { email: person.email }));
  expect(to).toBe(`${baseUrl}/streams`);
  expect([await readMeStatus(client), await readMeStatus(squatter)]).toEqual([200, 401]);
  expect(await readEmailValid(client)).toBe(true);
  expect((await new SignInClient().signIn(person)).status).toBe(401);
  expect(await readActions(person.userId)).toContain('account.identity-linked');
});

test('a rejected sign-in creates nothing', async () => {
  const unverified = createVisitor('unverified', { isVerified: false });
  expect((await signIn(unverified)).to).toBe(rejectionUrl('unverified'));
  const chief = createVisitor('chief', { email: 'chief@example.com', isVerified: false });
  expect((await signIn(chief)).to).toBe(rejectionUrl('unverified'));
  const other = createVisitor('other', { email: 'ada@other.test' });
  expect((await signIn(other)).to).toBe(rejectionUrl('domain'));
  const person = await api.createPerson('suspended');
  await db.account.update({ where: { id: person.userId }, data: { suspended: true } });
  const { to, client } = await signIn(createVisitor('suspended', { email: person.email }));
  expect(to).toBe(rejectionUrl('suspended'));
  expect(client.cookiesEndingWith('session-token')).toBe('');
  const emails = [unverified.email, chief.email, other.email];
  expect(await db.account.count({ where: { email: { in: emails } } })).toBe(0);
  const { userId } = person;
  expect(await db.oidcIdentity.count({ where: { userId } })).toBe(0);
});

test('after a rejected sign-in, the log-in page links to pages of this site only', async () => {
  const rejectedSignInUrl = async (callbackUrl: string) =>
    (await signIn(createVisitor('next', { isVerified: false }), new SignInClient(), callbackUrl)).to;
  expect(await rejectedSignInUrl('/assets?status=ready')).toBe(
    `${baseUrl}/login?error=unverified&next=${encodeURIComponent('/assets?status=ready')}`,
  );
  for (const other of ['https://evil.example/', '/login?next=/streams', '//evil.example']) {
    expect(await rejectedSignInUrl(other)).toBe(`${baseUrl}/login?error=unverified`);
  }
});

test('an invitation without an address admits one person who opened it', async () => {
  const { oidc, signUp } = settings;
  Object.assign(settings, { signUp: 'invite', oidc: { ...oidc, allowedDomains: [] } });
  const system = { ...api.services, actor: { kind: 'system' } } as const;
  const { url } = await inviteToSignUp(system, null, null);
  const page = `${new URL(url).pathname}${new URL(url).search}&next=%2Fassets`;
  const [guest, uninvited, late] = [
    createVisitor('guest'),
    createVisitor('uninvited'),
    createVisitor('late'),
  ];
  try {
    expect((await signIn(uninvited)).to).toBe(rejectionUrl('no_account'));
    const forgedPage = page.replace('invitation=', 'invitation=0');
    expect((await signIn(uninvited, new SignInClient(), forgedPage)).to).toContain('error=no_account');
    const { to, client } = await signIn(guest, new SignInClient(), page);
    expect([to, await readMeStatus(client)]).toEqual([`${baseUrl}${page}`, 200]);
    expect((await signIn(late, new SignInClient(), page)).to).toContain('error=no_account');
  } finally {
    Object.assign(settings, { signUp, oidc });
  }
});

test('a linked account loses its earlier factors, and requires none', async () => {
  const person = await api.createPerson('factors');
  const { userId } = person;
  const passkeyFields = {
    userId,
    name: 'of a squatter',
    credentialId: userId,
    publicKey: Buffer.alloc(1),
    counter: 0,
  };
  const passkey = { ...passkeyFields, createdAt: new Date() };
  await db.passkey.create({ data: { ...passkey, id: crypto.randomUUID() } });
  const linkedVisitor = createVisitor('factors', { email: person.email });
  expect(await readMeStatus((await signIn(linkedVisitor)).client)).toBe(200);
  expect(await db.passkey.count({ where: { userId } })).toBe(0);
  await db.passkey.create({ data: { ...passkey, id: crypto.randomUUID() } });
  expect(await readMeStatus((await signIn(linkedVisitor)).client)).toBe(200);
});

test('REQUIRE_SECOND_FACTOR leaves second factors of the issuer to the issuer', async () => {
  Object.assign(settings, { requireSecondFactor: 'all' });
  try {
    const { client } = await signIn(createVisitor('required'));
    expect(await readMeStatus(client)).toBe(200);
    await client.get('session');
    expect(await readMeStatus(client)).toBe(200);
  } finally {
    Object.assign(settings, { requireSecondFactor: 'off' });
  }
});

test('a wrong state, another browser or a code that was used already gets no session', async () => {
  visitor = createVisitor('tampered');
  const [client, stranger] = [new SignInClient(), new SignInClient()];
  const returnUrl = await visitIssuer(await startSignIn(client));
  const forgedUrl = new URL(returnUrl);
  forgedUrl.searchParams.set('state', 'forged');
  expect(await returnFromIssuer(client, forgedUrl)).toContain('error=OAuthCallback');
  expect(await returnFromIssuer(stranger, returnUrl)).toContain('error=OAuthCallback');
  expect([client.cookiesEndingWith('session-token'), stranger.cookiesEndingWith('session-token')]).toEqual([
    '',
    '',
  ]);

  const again = new SignInClient();
  const usedUrl = await visitIssuer(await startSignIn(again));
  const copies = again.cookie
    .split('; ')
    .map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)]);
  expect(await returnFromIssuer(again, usedUrl)).toBe(`${baseUrl}/streams`);
  const thief = new SignInClient();
  for (const [name = '', value = ''] of copies) thief.setCookie(name, value);
  expect(await returnFromIssuer(thief, usedUrl)).toContain('error=OAuthCallback');
  expect(thief.cookiesEndingWith('session-token')).toBe('');
});

test('a token with the nonce of another sign-in gets no session', async () => {
  visitor = createVisitor('nonce');
  const client = new SignInClient();
  const url = new URL(await startSignIn(client));
  url.searchParams.set('nonce', 'of another sign-in');
  expect(await returnFromIssuer(client, await visitIssuer(url.href))).toContain('error=OAuthCallback');
  expect(client.cookiesEndingWith('session-token')).toBe('');
});

test('while the issuer is down, passwords work', async () => {
  const person = await api.createPerson('away');
  const working = listener;
  listener = (request) => void request.socket.destroy();
  try {
    const client = new SignInClient();
    expect(await startSignIn(client)).toContain('error=OAuthSignin');
    expect((await client.signIn(person)).status).toBe(200);
  } finally {
    listener = working;
  }
});
