import { defined } from '@/lib/core/defined';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'next-auth/jwt';
import { expect } from 'vitest';
import { insertAccount } from '@/lib/domain/accounts';
import { followOwners } from '@/lib/domain/teams';
import { createApiKey, UsageRecorder } from '@/lib/domain/api-keys';
import type { AccountContext } from '@/lib/domain/context';
import type { ApiKey } from '@/lib/contract/accounts/api-key';
import { errorsOf } from '@/lib/contract/openapi';
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
import { newClaims, sessionCookieName, sessionSecret } from '@/lib/http/sessions/session-cookie';
import { routeModules } from './route-modules';

export const baseUrl = 'http://localhost:3000';

const highLimit = { points: 1_000_000, seconds: 60 };

/** A person with an account, its team, a key and a browser session. */
export interface Person {
  readonly userId: string;
  /** The team that was created with the account. */
  readonly teamId: string;
  readonly email: string;
  readonly password: string;
  readonly ctx: AccountContext;
  readonly key: string;
  readonly cookie: string;
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
  person(name?: string): Promise<Person>;
}

/** The whole API on a test database, without a server. */
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
  return { services, request: requestHandlers, person: (name) => newPerson(services, name) };
}

async function requestHandlers(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  const url = new URL(path, baseUrl);
  const { handlers, params } = await findHandlers(url.pathname);
  const handler = handlers[method];
  if (!handler) throw new Error(`No ${method} export for ${path}`);
  const response = await handler(requestOf(method, url, options), { params: Promise.resolve(params) });
  await checkAnswer(method === 'HEAD' ? handlers['GET']?.route : handler.route, method, response.clone());
  return response;
}

function requestOf(
  method: string,
  url: URL,
  { key, cookie, origin, body, headers }: RequestOptions,
): Request {
  const text =
    body === undefined || method === 'GET' || method === 'HEAD'
      ? null
      : typeof body === 'string'
        ? body
        : JSON.stringify(body);
  return new Request(url, {
    method,
    body: text,
    headers: {
      ...(text === null ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...defined({ cookie }),
      ...defined({ origin }),
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

/** Checks every response: shape, documented status, request id, no secret in a header. */
async function checkAnswer(
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
  const type = response.headers.get('content-type');
  if (endpoint?.csv && response.status === 200 && type?.startsWith('text/csv')) return;
  expect(type).toBe('application/json; charset=utf-8');
  const body: unknown = JSON.parse(text);
  if (response.status >= 400) {
    const { errors, fields, reasons } = errorBody.strict().parse(body);
    if (reasons) expect(reasons).toHaveLength(errors.length);
    // A message about a field is its issue in one line.
    if (fields)
      expect(fields.map((each, index) => (each ? issueMessage(each) : errors[index]))).toEqual(errors);
    if (endpoint) expect(errorsOf(endpoint).map(([status]) => status)).toContain(response.status);
    return;
  }
  expect(endpoint && successesOf(endpoint)).toContain(response.status);
  if (endpoint?.response) expect(endpoint.response.parse(body)).toEqual(body);
}

/** The success statuses of an endpoint. */
export const successesOf = ({ status, upserts }: Endpoint): readonly number[] =>
  upserts ? [200, 201] : [status];

/** The shared password is hashed once, because hashing is slow by design. */
let passwordHash: Promise<string> | undefined;

async function newPerson(services: Services, name = 'person'): Promise<Person> {
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
  return { userId, teamId, email, password, ctx, key, newKey, cookie: await cookieOf(services, userId) };
}

/** Suspends an account and its team, like an operator. */
export async function suspend({ services }: TestApi, { ctx, userId }: Person): Promise<void> {
  await services.db.account.update({ where: { id: userId }, data: { suspended: true } });
  await followOwners(ctx, userId);
}

/** The session cookie that next-auth would set. */
export async function cookieOf(services: Services, userId: string, claims: object = {}): Promise<string> {
  const token = { ...newClaims(userId, 0, services.clock.now()), ...claims };
  const value = await encode({ token, secret: sessionSecret(services), maxAge: 3_600 });
  return `${sessionCookieName(services)}=${value}`;
}

/** Definitions by operation id, for tests generated from the registry. */
export const endpoints: readonly Endpoint[] = registry;
