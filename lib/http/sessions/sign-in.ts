import NextAuth, { type NextAuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { endSession, recordSession, resumeSession } from '@/lib/domain/accounts';
import { AppError, statusOfError } from '@/lib/core/errors';
import { ownPath } from '@/lib/core/access/own-path';
import { SESSION_IDLE_SECONDS } from '@/lib/core/accounts/session-terms';
import { errorCodeOfSteps } from '@/lib/core/accounts/sign-in-steps';
import { authorizeSignIn, type SignInAttempt } from './authorize-sign-in';
import { authorizeOidc, keepRequestedPage, createOidcProvider, rejectBusyOidc } from './oidc-sign-in';
import { respondPasskeyOptions } from './second-step-cookie';
import { createErrorResponse } from '@/lib/http/error-response';
import { type Exchange, startExchange, contextOf } from '@/lib/http/exchange';
import { getServices } from '@/lib/http/services';
import { createClaims, readClaims, sessionSecret, usesSecureCookies } from './session-cookie';

const MAX_FORM_BYTES = 16 * 1024;

/** Handles the routes of next-auth for the sign-in at this service and at the issuer. */
export async function signInHandler(request: Request, context: unknown): Promise<Response> {
  const shared = getServices();
  const exchange = startExchange(shared, request, null);
  // next-auth reads bodies of any size; the forms of this service are small and declare their length.
  const length = request.headers.get('content-length');
  if (request.method === 'POST' && !(length !== null && Number(length) <= MAX_FORM_BYTES)) {
    const error = new AppError('payload_too_large', `the form must be at most ${MAX_FORM_BYTES} bytes`);
    return createErrorResponse(exchange, error);
  }
  // next-auth's client scripts report errors here. The dashboard does not use them, and clients must not be able to
  // write to the log.
  if (/\/_log\/?$/.test(new URL(request.url).pathname)) {
    return new Response(null, { status: 204, headers: exchange.headers });
  }
  if (request.method === 'GET' && /\/passkey-options\/?$/.test(new URL(request.url).pathname))
    return respondPasskeyOptions(exchange);
  const busy = await rejectBusyOidc(exchange);
  if (busy) return busy;
  const outcome: Outcome = { attempt: null, rejection: null, failure: null };
  const options = createAuthOptions(exchange, outcome);
  const handler = NextAuth(options) as (request: Request, context: unknown) => Promise<Response>;
  const response = await handler(request, context);
  // Map plain-text errors of next-auth, for example for an unknown path, to `bad_request`.
  const isAuthReply = response.status < 400 || response.headers.get('content-type')?.includes('json');
  if (!isAuthReply)
    return createErrorResponse(exchange, new AppError('bad_request', 'not a sign-in request'));
  if (outcome.failure) return createErrorResponse(exchange, outcome.failure.error);
  const location = response.headers.get('location');
  if (location !== null)
    response.headers.set('location', keepRequestedPage(shared, request.headers, location));
  for (const line of outcome.attempt?.cookies ?? []) response.headers.append('set-cookie', line);
  return outcome.rejection ? withStatusOf(outcome.rejection, response) : response;
}

/** Results of one request's callbacks that next-auth can't return. */
interface Outcome {
  attempt: SignInAttempt | null;
  rejection: AppError | null;
  /** Error of a failed logout: next-auth would delete the cookie although the session continues. */
  failure: { readonly error: unknown } | null;
}

/** next-auth responds to every rejection with 401. The log-in page reads the body of any status. */
function withStatusOf({ code, retryAfter }: AppError, response: Response): Response {
  if (response.status !== 401) return response;
  if (retryAfter !== undefined) response.headers.set('retry-after', String(retryAfter));
  return new Response(response.body, { status: statusOfError(code), headers: response.headers });
}

/** The provider for all steps of a sign-in at this service: password, code, passkey. */
function createPasswordProvider({ services: shared, request }: Exchange, outcome: Outcome) {
  return CredentialsProvider({
    credentials: { email: {}, password: {}, code: {}, passkey: {}, second: {} },
    authorize: async (credentials) => {
      try {
        outcome.attempt = await authorizeSignIn(shared, request.headers, credentials);
      } catch (error) {
        // The browser shows the message of the error.
        if (error instanceof AppError) outcome.rejection = error;
        throw error;
      }
      // The log-in page reads the missing steps from the error, because there is no session before the last step.
      if (outcome.attempt.steps) throw new Error(errorCodeOfSteps(outcome.attempt.steps));
      return outcome.attempt.account;
    },
  });
}

function createAuthOptions(exchange: Exchange, outcome: Outcome): NextAuthOptions {
  const { services: shared, request } = exchange;
  return {
    secret: sessionSecret(shared),
    useSecureCookies: usesSecureCookies(shared),
    session: { strategy: 'jwt', maxAge: SESSION_IDLE_SECONDS },
    pages: { signIn: '/login', error: '/login' },
    providers: [
      createPasswordProvider(exchange, outcome),
      ...(shared.settings.oidc ? [createOidcProvider(shared.settings.oidc)] : []),
    ],
    callbacks: {
      signIn: async ({ account, profile }) => {
        if (account?.type !== 'oauth') return true;
        const result = await authorizeOidc(shared, request.headers, profile);
        if ('rejected' in result) return `${shared.settings.baseUrl}/login?error=${result.rejected}`;
        outcome.attempt = result;
        return true;
      },
      jwt: async ({ token, user, account }) => {
        // Set at sign-in only. After a sign-in at the issuer, next-auth knows the subject, not the account.
        const signedIn: unknown = outcome.attempt?.account ?? user;
        if (isSignedIn(signedIn)) {
          const { id, sessionVersion } = signedIn;
          const now = shared.clock.now();
          const claims = createClaims(id, sessionVersion, now, account?.type === 'oauth');
          await recordUse(exchange, claims);
          return { ...token, ...claims };
        }
        await rejectEndedSession(exchange, token);
        await recordUse(exchange, token);
        return token;
      },
      // Allows only URLs of this site, so that a sign-in redirects to no other site.
      redirect: ({ url }) => {
        const { baseUrl } = shared.settings;
        return new URL(ownPath(url, baseUrl) ?? '/', baseUrl).href;
      },
    },
    events: {
      signOut: async ({ token }) => {
        const claim = readClaims(token, shared.clock.now());
        if (!claim) return;
        await endSession(contextOf(exchange), claim, claim.endsAt).catch((error: unknown) => {
          outcome.failure = { error };
        });
      },
    },
    logger: {
      error: (code) => shared.log.warn({ code }, 'sign-in error'),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

function isSignedIn(user: unknown): user is { readonly id: string; readonly sessionVersion: number } {
  return typeof user === 'object' && user !== null && 'sessionVersion' in user && 'id' in user;
}

/** Updates the list of signed-in devices. A failure must not block the request. */
async function recordUse(exchange: Exchange, token: Readonly<Record<string, unknown>>): Promise<void> {
  const { clock, log } = exchange.services;
  const session = readClaims(token, clock.now());
  if (!session) return;
  await recordSession(contextOf(exchange), session).catch((error: unknown) => {
    log.warn({ err: error }, 'the use of a sign-in session could not be recorded');
  });
}

/** Deletes the cookie of an ended session instead of renewing it. While the database is down, the cookie is kept. */
async function rejectEndedSession(
  exchange: Exchange,
  token: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { clock, log } = exchange.services;
  const claim = readClaims(token, clock.now());
  const account =
    claim &&
    (await resumeSession(contextOf(exchange), claim).catch((error: unknown) => {
      log.warn({ err: error }, 'sign-in session lookup failed');
      return 'unknown' as const;
    }));
  if (!account) throw new Error('the session has ended');
}
