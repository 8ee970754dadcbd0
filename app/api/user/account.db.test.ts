import { describe, expect, test } from 'vitest';
import { authenticatePassword, createAccount, listAccounts, resumeSession } from '@/lib/domain/accounts';
import { isWellFormedApiKey } from '@/lib/core/access/api-key-format';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLimiters, limitSizes } from '@/lib/http/limits/rate-limit';
import { baseUrl, openTestApi } from '@/app/api/testing/test-api';

const limiters = createLimiters({
  ...limitSizes,
  api: { points: 50, seconds: 60 },
  signUpPerIp: { points: 8, seconds: 60 },
});
const api = openTestApi(await createTestDatabase(), { limiters });
const { db } = api.services;
const ownOrigin = { origin: baseUrl };
const anonymous = {
  ...(await api.createPerson('first')).ctx,
  actor: { kind: 'anonymous', ip: '192.0.2.1' },
} as const;

const signUp = (body: unknown, ip = crypto.randomUUID()) =>
  api.request('POST', '/api/dashboard/accounts', { ...ownOrigin, body, headers: { 'x-forwarded-for': ip } });
const errorsOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors;

describe('sign-up', () => {
  test('creates an account that can sign in', async () => {
    const response = await signUp({ email: ' Grace@Example.COM ', password: 'Hopper’s nanosecond' });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ email: 'grace@example.com' });
    const signedIn = await authenticatePassword(anonymous, {
      email: 'grace@example.com',
      password: 'Hopper’s nanosecond',
    });
    expect(signedIn).toMatchObject({ email: 'grace@example.com', sessionVersion: 0 });
    const audit = await db.auditEntry.findMany({
      where: { userId: signedIn?.id ?? '' },
      orderBy: { createdAt: 'asc' },
    });
    expect(audit.map(({ action }) => action)).toEqual(['account.created', 'account.signed-in']);
  });

  test('with a known address gets the same response, and the account keeps its password', async () => {
    const first = { email: 'known@example.com', password: 'the first pass phrase' };
    const again = { email: 'known@example.com', password: 'another pass phrase' };
    const responses = [await signUp(first), await signUp(again)];
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect(await responses[1]?.text()).toBe(await responses[0]?.text());
    expect(await authenticatePassword(anonymous, again)).toBeNull();
    expect(await authenticatePassword(anonymous, first)).not.toBeNull();
  });

  test.each<[string, object, string]>([
    ['no address', { password: 'a long pass phrase' }, 'email: is required'],
    [
      'an address without @',
      { email: 'x', password: 'a long pass phrase' },
      'email: must be an email address',
    ],
    [
      'a short password',
      { email: 'a@example.com', password: 'short' },
      'password: must have at least 10 characters',
    ],
    [
      'a long password',
      { email: 'a@example.com', password: 'x'.repeat(129) },
      'password: must have at most 128 characters',
    ],
    [
      'a common password',
      { email: 'a@example.com', password: 'Password123' },
      'password: is too common, choose another password',
    ],
    [
      'one repeated letter',
      { email: 'a@example.com', password: 'aaaaaaaaaaaa' },
      'password: is too common, choose another password',
    ],
    [
      'a NUL',
      { email: 'a@example.com', password: 'long enough\0' },
      'password: must not contain NUL characters or broken Unicode',
    ],
  ])('rejects %s', async (_name, body, message) => {
    const response = await signUp(body);
    expect(response.status).toBe(422);
    expect(await errorsOf(response)).toEqual([message]);
  });

  test('is accepted from pages of this service only, and limited for each IP address', async () => {
    const body = { email: 'limit@example.com', password: 'a long pass phrase' };
    const foreignResponse = await api.request('POST', '/api/dashboard/accounts', {
      body,
      origin: 'https://evil.example',
    });
    expect(foreignResponse.status).toBe(403);
    expect(foreignResponse.headers.get('access-control-allow-origin')).toBeNull();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 9; attempt += 1)
      statuses.push((await signUp(body, '198.51.100.9')).status);
    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 201), 429]);
    expect((await signUp(body, '198.51.100.10')).status).toBe(201);
  });
});

describe('passwords', () => {
  test('are the same in every Unicode normalization form', async () => {
    await createAccount(anonymous, { email: 'nfkc@example.com', password: 'pass phrase ﬁn' });
    expect(
      await authenticatePassword(anonymous, { email: 'NFKC@example.com', password: 'pass phrase fin' }),
    ).not.toBeNull();
  });

  test('are rejected alike for an unknown address, a wrong password and a suspended account, in about the same processor time', async () => {
    const person = await api.createPerson('timing');
    const measureAttempt = async (email: string, password: string) => {
      // CPU time of user and system: the kernel estimates how it is divided. The shortest of nine depends least on other load.
      const before = process.cpuUsage();
      expect(await authenticatePassword(anonymous, { email, password })).toBeNull();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await measureAttempt('unknown@example.com', 'warm up the decoy');
    const suspended = await api.createPerson('suspended-timing');
    await db.account.update({ where: { id: suspended.userId }, data: { suspended: true } });
    const cpuMicroseconds = { unknown: [] as number[], wrong: [] as number[], suspended: [] as number[] };
    for (let round = 0; round < 9; round += 1) {
      cpuMicroseconds.unknown.push(await measureAttempt('unknown@example.com', 'a wrong pass phrase'));
      cpuMicroseconds.wrong.push(await measureAttempt(person.email, 'a wrong pass phrase'));
      cpuMicroseconds.suspended.push(await measureAttempt(suspended.email, suspended.password));
    }
    for (const other of [cpuMicroseconds.unknown, cpuMicroseconds.suspended]) {
      const ratio = Math.min(...other) / Math.min(...cpuMicroseconds.wrong);
      expect(Math.max(ratio, 1 / ratio)).toBeLessThan(4);
    }
  });

  test.each(['a\0b@example.com', '', 'x'.repeat(5_000)])(
    'are rejected for an address without an account: %j',
    async (email) => {
      expect(await authenticatePassword(anonymous, { email, password: 'y'.repeat(100_000) })).toBeNull();
    },
  );

  test('hashed with other costs are rehashed at sign-in', async () => {
    const { hash } = await import('@node-rs/argon2');
    const person = await api.createPerson('rehash');
    const cheap = await hash(person.password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await db.account.update({ where: { id: person.userId }, data: { passwordHash: cheap } });
    expect(await authenticatePassword(anonymous, person)).not.toBeNull();
    const { passwordHash } = await db.account.findUniqueOrThrow({ where: { id: person.userId } });
    expect(passwordHash).toContain('m=19456,t=2,p=1');
  });

  test('a session ends when the sessionVersion of its account is raised', async () => {
    const { userId } = await api.createPerson('ended');
    const claim = { userId, sessionId: crypto.randomUUID(), sessionVersion: 0 };
    expect(await resumeSession(anonymous, claim)).toMatchObject({ id: userId });
    await db.account.update({ where: { id: userId }, data: { sessionVersion: 1 } });
    expect(await resumeSession(anonymous, claim)).toBeNull();
  });

  test('an address has at most one account, also for concurrent requests', async () => {
    const input = { email: 'race@example.com', password: 'a long pass phrase' };
    const results = await Promise.allSettled([
      createAccount(anonymous, input),
      createAccount(anonymous, input),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await listAccounts(anonymous)).filter(({ email }) => email === input.email)).toHaveLength(1);
  });
});

describe('API keys in the dashboard', () => {
  test('are created with the secret, listed without it, revealed with the password, and deleted', async () => {
    const person = await api.createPerson('keys');
    const session = { ...ownOrigin, cookie: person.cookie };
    const response = await api.request('POST', '/api/dashboard/api-keys', {
      ...session,
      body: { name: 'Website', allowedOrigins: ['HTTPS://Example.com:443', 'https://example.com'] },
    });
    const { id, secret, ...key } = (await response.json()) as Record<string, unknown> & {
      id: string;
      secret: string;
    };
    expect(isWellFormedApiKey(secret)).toBe(true);
    expect(key).toMatchObject({
      allowedOrigins: ['https://example.com'],
      fullAccess: false,
      last4: secret.slice(-4),
    });

    const body = await (await api.request('GET', '/api/dashboard/api-keys', session)).text();
    expect(body).toContain(id);
    expect(body).not.toContain(secret);
    const row = await db.apiKey.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(row.secretSealed).includes(secret)).toBe(false);

    const path = `/api/dashboard/api-keys/${id}`;
    const reveal = (password: string) =>
      api.request('POST', `${path}/reveal`, { ...session, body: { password } });
    expect((await reveal('a wrong pass phrase')).status).toBe(403);
    const revealed = await reveal(person.password);
    expect(await revealed.json()).toEqual({ secret });
    expect(revealed.headers.get('cache-control')).toBe('no-store');

    expect((await api.request('DELETE', path, session)).status).toBe(204);
    expect((await api.request('DELETE', path, session)).status).toBe(404);
    expect((await reveal(person.password)).status).toBe(404);
    const audit = await db.auditEntry.findMany({ where: { objectId: id }, orderBy: { createdAt: 'asc' } });
    expect(audit.map(({ action }) => action)).toEqual([
      'api-key.created',
      'api-key.revealed',
      'api-key.deleted',
    ]);
  });

  test('are revealed at most 10 times an hour', async () => {
    const person = await api.createPerson('revealer');
    const { id } = await person.newKey();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const options = { ...ownOrigin, cookie: person.cookie, body: { password: 'guess' } };
      statuses.push((await api.request('POST', `/api/dashboard/api-keys/${id}/reveal`, options)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
  });

  test.each([
    'null',
    'https://a.example/',
    'https://a.example/x',
    'ftp://a.example',
    'https://*.example',
    'a.example',
    'https://u:p@a.example',
    '',
  ])('reject the origin %j', async (origin) => {
    const person = await api.createPerson('origins');
    const body = { name: 'x', allowedOrigins: [origin] };
    const response = await api.request('POST', '/api/dashboard/api-keys', {
      ...ownOrigin,
      cookie: person.cookie,
      body,
    });
    expect(response.status).toBe(422);
    expect((await errorsOf(response))[0]).toMatch(/^allowedOrigins\[0\]: must be scheme/);
  });

  test('calls and the last use are collected in memory and written by flush only', async () => {
    const person = await api.createPerson('usage');
    const { id, secret } = await person.newKey();
    for (let call = 0; call < 3; call += 1) await api.request('GET', '/api/user/me', { key: secret });
    const row = () => db.apiKey.findUniqueOrThrow({ where: { id }, include: { usage: true } });
    expect(await row()).toMatchObject({ lastUsedAt: null, usage: [] });
    await api.services.usage.flush(db);
    await api.request('GET', '/api/user/me', { key: secret });
    const deletedKey = await person.newKey();
    await api.request('GET', '/api/user/me', { key: deletedKey.secret });
    await db.apiKey.delete({ where: { id: deletedKey.id } });
    await api.services.usage.flush(db);
    await api.services.usage.flush(db);
    const { lastUsedAt, usage } = await row();
    expect(Math.abs(Number(lastUsedAt) - Date.now())).toBeLessThan(60_000);
    expect(usage.map(({ calls }) => calls)).toEqual([4]);
    expect((await db.account.findUniqueOrThrow({ where: { id: person.userId } })).lastSeen).not.toBeNull();
  });
});

test('each API key has its own request limit, which is in the response headers', async () => {
  const { key } = await api.createPerson('busy');
  let response = await api.request('GET', '/api/user/me', { key });
  expect(response.headers.get('ratelimit-limit')).toBe('50');
  expect(response.headers.get('ratelimit-remaining')).toBe('49');
  for (let call = 0; call < 50; call += 1) response = await api.request('GET', '/api/user/me', { key });
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(response.headers.get('ratelimit-remaining')).toBe('0');
});
