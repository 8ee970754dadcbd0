import { recordSession } from '@/lib/domain/accounts';
import type { AccountContext, Context, TeamContext } from '@/lib/domain/context';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, HandlerResultOf } from '@/lib/contract/define-endpoint';
import { AppError } from '@/lib/core/errors';
import { describeSpan, failSpan, runInSpan } from '@/lib/infra/tracing';
import { authenticate } from './authenticate';
import { type Exchange, accountContextOf, startExchange, contextOf, teamContextOf } from './exchange';
import { createDeviceCookie } from './sessions/device-cookie';
import { createSurvivingCookie } from './sessions/session-cookie';
import { clearPasswordGuesses } from './sessions/sign-in-guesses';
import { createErrorResponse, logRequest } from './error-response';
import { enforceLimits } from './limits/enforce-limits';
import { respondIdempotently } from './idempotency';
import { readInput, type RouteParams } from './read-input';
import { getServices } from './services';
import { writeReply } from './write-reply';

type ContextOf<Auth extends Endpoint['auth']> = Auth extends 'public'
  ? Context
  : Auth extends 'session'
    ? AccountContext
    : TeamContext;

/** Validated input of a handler, and the context of its caller. */
export interface HandlerInput<E extends Endpoint> {
  readonly ctx: E extends { readonly keyOptional: true } ? Context : ContextOf<E['auth']>;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
}

export interface RouteContext {
  readonly params: RouteParams;
}

/** An endpoint with its handler. */
export interface Route {
  readonly endpoint: Endpoint;
  handle(request: Request, context: RouteContext): Promise<Response>;
}

/**
 * Binds one endpoint's definition, which is one method of one path, to its handler. `routes` (routes.ts) combines the results
 * for one path to the exports of a route file. Every request passes the same steps, and an error in any step becomes an
 * error response.
 */
export function route<E extends Endpoint>(
  endpoint: E,
  handler: (input: HandlerInput<E>) => Promise<HandlerResultOf<E>>,
): Route {
  // The definition's schemas validated the input, so its types are correct.
  const runHandler = handler as (input: unknown) => Promise<unknown>;
  return {
    endpoint,
    async handle(request, { params }) {
      const exchange = startExchange(getServices(), request, endpoint);
      return runInRequestSpan(exchange, endpoint, async () => {
        const response = await respond(exchange, endpoint, params, runHandler).catch((error: unknown) =>
          createErrorResponse(exchange, error),
        );
        logRequest(exchange, response);
        return response;
      });
    },
  };
}

const contextReaders = {
  public: contextOf,
  session: accountContextOf,
  'key-or-session': teamContextOf,
} as const;

async function respond(
  exchange: Exchange,
  endpoint: Endpoint,
  params: RouteParams,
  runHandler: (input: unknown) => Promise<unknown>,
): Promise<Response> {
  await authenticate(exchange, endpoint);
  const refund = await enforceLimits(exchange, endpoint, params);
  try {
    const input = await readInput(exchange, endpoint, params);
    const ctx = endpoint.keyOptional ? contextOf(exchange) : contextReaders[endpoint.auth](exchange);
    let result: unknown;
    const response = await respondIdempotently(exchange, endpoint, input, async () => {
      result = await runHandler({ ctx, ...input });
      return writeReply(exchange, endpoint, result);
    });
    await refund();
    if (endpoint.remembersDevice === 'caller') await rememberCaller(exchange, response);
    if (endpoint.remembersDevice === 'link') await admitLinkOwner(exchange, result, response);
    if (endpoint.keepsSession) await renewSession(exchange, response);
    return response;
  } catch (error) {
    // At this stage only a wrong password is `forbidden`; after other errors, no password was checked.
    if (!(error instanceof AppError && error.code === 'forbidden')) await refund();
    throw error;
  }
}

/** Runs the request in a trace span. Names follow the semantic conventions of OpenTelemetry for HTTP. */
function runInRequestSpan(
  { request, requestId }: Exchange,
  { method, path }: Endpoint,
  work: () => Promise<Response>,
): Promise<Response> {
  const parent = request.headers.get('traceparent');
  const attributes = { 'http.request.method': method, 'http.route': path, 'headwater.request_id': requestId };
  return runInSpan(`${method} ${path}`, { kind: 'server', parent, attributes }, async () => {
    const response = await work();
    describeSpan({ 'http.response.status_code': response.status });
    if (response.status >= 500) failSpan(`status ${response.status}`);
    return response;
  });
}

/** Marks the browser of the caller as a known device of the account. */
async function rememberCaller(exchange: Exchange, { headers }: Response): Promise<void> {
  const ctx = accountContextOf(exchange);
  const { userId } = ctx.actor;
  headers.append(
    'set-cookie',
    await createDeviceCookie(ctx, exchange.request.headers.get('cookie'), { userId }),
  );
}

/**
 * Admits the browser of a person who opened a link from their email: it becomes a known device, and the password guesses
 * of others are reset.
 * @param result result of the handler, with the account of the link
 */
async function admitLinkOwner(exchange: Exchange, result: unknown, { headers }: Response): Promise<void> {
  const { userId, email } = result as { readonly userId: string; readonly email: string };
  const device = { userId, proof: 'link' } as const;
  await clearPasswordGuesses(exchange, email);
  headers.append(
    'set-cookie',
    await createDeviceCookie(contextOf(exchange), exchange.request.headers.get('cookie'), device),
  );
}

/** Replaces the session cookie of a request that ended the account's other sessions. */
async function renewSession(exchange: Exchange, { headers }: Response): Promise<void> {
  const { services, request } = exchange;
  const renewedCookie = await createSurvivingCookie(
    services,
    request.headers.get('cookie'),
    services.clock.now(),
  );
  if (!renewedCookie) return;
  headers.append('set-cookie', renewedCookie.cookie);
  await recordSession(contextOf(exchange), renewedCookie.session).catch((error: unknown) => {
    services.log.warn({ err: error }, 'the use of a sign-in session could not be recorded');
  });
}
