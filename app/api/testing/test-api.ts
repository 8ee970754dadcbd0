import { omitUndefined } from '@/lib/core/omit-undefined';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'next-auth/jwt';
import { afterAll, expect } from 'vitest';
import { insertAccount } from '@/lib/domain/accounts';
import { updateStatusOfOwnedTeams } from '@/lib/domain/teams';
import { createApiKey, UsageRecorder } from '@/lib/domain/api-keys';
import type { AccountContext } from '@/lib/domain/context';
import type { ApiKey } from '@/lib/contract/accounts/api-key';
import { errorStatusesOf } from '@/lib/contract/openapi';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { errorBody } from '@/lib/contract/primitives';
import { issueMessage } from '@/lib/core/errors';
import { registry } from '@/lib/contract/registry';
import type { Clock } from '@/lib/infra/clock';
import { openDatabase } from '@/lib/infra/db';
import { readSettings } from '@/lib/infra/env';
import { createLogger } from '@/lib/infra/logger';
import { openQueues } from '@/lib/infra/queue/queue';
import { hashPassword } from '@/lib/infra/hash-password';
import { createSecrets } from '@/lib/infra/secrets';
import { createLimiters, limitSizes } from '@/lib/http/limits/rate-limit';
import type { Handler } from '@/lib/http/routes';
import { installServices, type Services } from '@/lib/http/services';
import { createClaims, sessionCookieName, sessionSecret } from '@/lib/http/sessions/session-cookie';
import { routeModules } from './route-modules';

export const baseUrl = 'http://localhost:3000';

const highLimit = { points: 1_000_000, seconds: 60 };

/** A person with an account, its team, a key and a sign-in session. */
export interface Person {
  readonly userId: string;
  /** The team that was created with the account. It has the id of the account. */
  readonly teamId: string;
  readonly email: string;
  readonly password: string;
  readonly ctx: AccountContext;
  /** An API key of the team with full access. */
  readonly key: string;
  /** Cookie header of the sign-in session. */
  readonly cookie: string;
  /** Creates an API key of the team, by default with full access. */
  newKey(input?: Partial<Parameters<typeof createApiKey>[1]>): Promise<ApiKey & { secret: string }>;
}

export interface RequestOptions {
  readonly key?: string;
  readonly cookie?: string;
  readonly origin?: string;
  /** Body, sent as JSON; a string is sent as is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestApi {
  readonly services: Services;
  /** Calls the exported handler of the path's route file and checks the response against the contract. */
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /** Creates a person. The name is only the beginning of the email address, which is unique. */
  createPerson(name?: string): Promise<Person>;
}

/** Opens the whole API on a test database, without a server, until the tests of the file have ended. */
export function openTestApi(
  databaseUrl: string,
  overrides: Partial<Pick<Services, 'limiters' | 'log' | 'mailer' | 'settings'>> & { clock?: Clock } = {},
): TestApi {
  const settings = readSettings({
    STT_MODEL_DIR: '/models/whisper',
    DATABASE_URL: databaseUrl,
    // Tests ignore a service that runs in this checkout.
    DATA_DIR: join(tmpdir(), 'headwater-no-data'),
    APP_SECRET: 'test'.repeat(10),
    LOG_LEVEL: 'silent',
  });
  const log = createLogger('test', 'silent');
  const services: Services = {
    settings,
    db: openDatabase(databaseUrl, { max: 4 }),
    clock: { now: () => new Date(), monotonic: () => performance.now() },
    log,
    queues: openQueues(settings, log),
    mailer: null,
    secrets: createSecrets(settings.appSecret),
    limiters: createLimiters({
      ...limitSizes,
      api: highLimit,
      signUpPerIp: highLimit,
      linkPerIp: highLimit,
      resetRequestPerIp: highLimit,
      targetTest: highLimit,
      viewerClipPerIp: highLimit,
      playbackReportPerIp: highLimit,
      publicTotalsPerIp: highLimit,
    }),
    usage: new UsageRecorder(),
    ...overrides,
  };
  installServices(services);
  const { db, queues } = services;
  afterAll(async () => {
    await queues.close();
    await db.$disconnect();
  });
  return { services, request: callRoute, createPerson: (name) => createPerson(services, name) };
}

async function callRoute(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const url = new URL(path, baseUrl);
  const { handlers, params } = await findHandlers(url.pathname);
  const handler = handlers[method];
  if (!handler) throw new Error(`No ${method} export for ${path}`);
  const response = await handler(createRequest(method, url, options), { params: Promise.resolve(params) });
  await checkResponse(method === 'HEAD' ? handlers['GET']?.route : handler.route, method, response.clone());
  return response;
}

function createRequest(
  method: string,
  url: URL,
  { key, cookie, origin, body, headers }: RequestOptions,
): Request {
  const bodyText =
    body === undefined || method === 'GET' || method === 'HEAD'
      ? null
      : typeof body === 'string'
        ? body
        : JSON.stringify(body);
  return new Request(url, {
    method,
    body: bodyText,
    headers: {
      ...(bodyText === null ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...omitUndefined({ cookie }),
      ...omitUndefined({ origin }),
      ...headers,
    },
  });
}

type Handlers = Readonly<Record<string, Handler | undefined>>;

/** The route handlers of a path, and its parameters. */
export async function findHandlers(
  pathname: string,
): Promise<{ handlers: Handlers; params: Record<string, string> }> {
  for (const { pattern, load } of await routeModules()) {
    const match = pattern.exec(pathname);
    if (!match) continue;
    const params = Object.entries(match.groups ?? {}).map(([name, value]) => [
      name,
      decodeURIComponent(value),
    ]);
    return {
      handlers: (await load()) as Handlers,
      params: Object.fromEntries(params) as Record<string, string>,
    };
  }
  throw new Error(`No route file for ${pathname}`);
}

/** Checks a response: body schema, documented status and request id, and that no header allows credentials. */
async function checkResponse(
  endpoint: Endpoint | undefined,
  method: string,
  response: Response,
): Promise<void> {
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]{1,64}$/);
  expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  const text = await response.text();
  if (method === 'HEAD' || response.status === 204) {
    expect(text).toBe('');
    return;
  }
  const contentType = response.headers.get('content-type');
  if (endpoint?.csv && response.status === 200 && contentType?.startsWith('text/csv')) return;
  expect(contentType).toBe('application/json; charset=utf-8');
  const body: unknown = JSON.parse(text);
  if (response.status >= 400) {
    const { errors, fields, reasons } = errorBody.strict().parse(body);
    if (reasons) expect(reasons).toHaveLength(errors.length);
    // The error message about a field is the issue of that field in one line.
    if (fields)
      expect(fields.map((field, index) => (field ? issueMessage(field) : errors[index]))).toEqual(errors);
    if (endpoint) expect(errorStatusesOf(endpoint).map(([status]) => status)).toContain(response.status);
    return;
  }
  expect(endpoint && successStatusesOf(endpoint)).toContain(response.status);
  if (endpoint?.response) expect(endpoint.response.parse(body)).toEqual(body);
}

/** The statuses of successful calls. An endpoint that creates or updates an object answers 201 or 200. */
export const successStatusesOf = ({ status, upserts }: Endpoint): readonly number[] =>
  upserts ? [200, 201] : [status];

/** Hash of the password of all persons. The password is hashed once, because hashing is slow by design. */
let passwordHash: Promise<string> | undefined;

async function createPerson(services: Services, name = 'person'): Promise<Person> {
  const { db, clock, log, secrets, settings } = services;
  const sharedContext = { db, clock, log, secrets, settings };
  const email = `${name}-${crypto.randomUUID()}@example.com`;
  const password = 'a long pass phrase';
  passwordHash ??= hashPassword(password);
  const { id: userId } = await insertAccount(
    { ...sharedContext, actor: { kind: 'system' } },
    { email, passwordHash: await passwordHash },
  );
  const teamId = userId;
  const ctx: AccountContext = { ...sharedContext, actor: { kind: 'cli', teamId, userId } };
  const newKey: Person['newKey'] = (input = {}) => createApiKey(ctx, { name: 'test', ...input });
  const { secret: key } = await newKey();
  return {
    userId,
    teamId,
    email,
    password,
    ctx,
    key,
    newKey,
    cookie: await createSessionCookie(services, userId),
  };
}

/** Suspends an account and its team, as an operator does. */
export async function suspend({ services }: TestApi, { ctx, userId }: Person): Promise<void> {
  await services.db.account.update({ where: { id: userId }, data: { suspended: true } });
  await updateStatusOfOwnedTeams(ctx, userId);
}

/** Creates the session cookie that next-auth would set, as a Cookie header. */
export async function createSessionCookie(
  services: Services,
  userId: string,
  claims: object = {},
): Promise<string> {
  const sessionVersion = 0;
  const token = { ...createClaims(userId, sessionVersion, services.clock.now()), ...claims };
  const value = await encode({ token, secret: sessionSecret(services), maxAge: 3_600 });
  return `${sessionCookieName(services)}=${value}`;
}

/** The endpoints of the registry, for tests that run for each of them. */
export const endpoints: readonly Endpoint[] = registry;
