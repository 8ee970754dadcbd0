import NextAuth, { type NextAuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { endSession, recordSession, resumeSession } from '@/lib/domain/accounts';
import { AppError, statusOfError } from '@/lib/core/errors';
import { ownPath } from '@/lib/core/access/own-path';
import { SESSION_IDLE_SECONDS } from '@/lib/core/accounts/sign-in-session-limits';
import { errorCodeOfSteps } from '@/lib/core/accounts/sign-in-steps';
import { authorizeSignIn, type SignInAttempt } from './authorize-sign-in';
import { authorizeOidc, keepRequestedPage, createOidcProvider, limitOidcRequests } from './oidc-sign-in';
import { respondPasskeyOptions } from './second-step-cookie';
import { createErrorResponse } from '@/lib/http/error-response';
import { type Exchange, startExchange, contextOf } from '@/lib/http/exchange';
import { getServices } from '@/lib/http/services';
import { createClaims, readClaims, sessionSecret, usesSecureCookies } from './session-cookie';

const MAX_FORM_BYTES = 16 * 1024;
const SESSION_ENDED_MESSAGE = 'the session has ended';

/** Handles the routes of next-auth for the sign-in at this service and at the issuer. */
export async function signInHandler(request: Request, context: unknown): Promise<Response> {
  const services = getServices();
  const exchange = startExchange(services, request, null);
  // next-auth reads bodies of any size; the forms of this service are small and declare their length.
  const declaredLength = Number(request.headers.get('content-length') ?? Number.NaN);
  const hasSmallBody = declaredLength <= MAX_FORM_BYTES;
  if (request.method === 'POST' && !hasSmallBody) {
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
  const busyResponse = await limitOidcRequests(exchange);
  if (busyResponse) return busyResponse;
  const outcome: SignInOutcome = { attempt: null, rejection: null, signOutFailure: null };
  const options = createAuthOptions(exchange, outcome);
  const handler = NextAuth(options) as (request: Request, context: unknown) => Promise<Response>;
  const response = await handler(request, context);
  // Plain-text errors of next-auth, for example for an unknown path, become `bad_request`.
  const isSignInResponse = response.status < 400 || response.headers.get('content-type')?.includes('json');
  if (!isSignInResponse)
    return createErrorResponse(exchange, new AppError('bad_request', 'not a sign-in request'));
  if (outcome.signOutFailure) return createErrorResponse(exchange, outcome.signOutFailure.error);
  const location = response.headers.get('location');
  if (location !== null)
    response.headers.set('location', keepRequestedPage(services, request.headers, location));
  for (const cookie of outcome.attempt?.cookies ?? []) response.headers.append('set-cookie', cookie);
  return outcome.rejection ? withStatusOf(outcome.rejection, response) : response;
}

/** Results of the callbacks of one request, which next-auth does not pass to its response. */
interface SignInOutcome {
  /** Result of a checked step; null if the request was no sign-in, or was rejected. */
  attempt: SignInAttempt | null;
  /** Error of a sign-in with a status and message for the browser, such as a rate limit; null if there was none. */
  rejection: AppError | null;
  /** Error of a failed sign-out, after which next-auth would delete the cookie although the session continues. */
  signOutFailure: { readonly error: unknown } | null;
}

/** Replaces the status 401, with which next-auth answers every rejection. The sign-in page reads the body of any status. */
function withStatusOf({ code, retryAfter }: AppError, response: Response): Response {
  if (response.status !== 401) return response;
  if (retryAfter !== undefined) response.headers.set('retry-after', String(retryAfter));
  return new Response(response.body, { status: statusOfError(code), headers: response.headers });
}

/** Provider of next-auth for all steps of a sign-in at this service: password, code, passkey. */
function createCredentialsProvider({ services, request }: Exchange, outcome: SignInOutcome) {
  return CredentialsProvider({
    // Names of the form fields. `second` is set if the passkey follows a password.
    credentials: { email: {}, password: {}, code: {}, passkey: {}, second: {} },
    authorize: async (credentials) => {
      try {
        outcome.attempt = await authorizeSignIn(services, request.headers, credentials);
      } catch (error) {
        // The browser shows the message of the error.
        if (error instanceof AppError) outcome.rejection = error;
        throw error;
      }
      // The sign-in page reads the missing steps from the error, because there is no session before the last step.
      if (outcome.attempt.missingSteps) throw new Error(errorCodeOfSteps(outcome.attempt.missingSteps));
      return outcome.attempt.account;
    },
  });
}

function createAuthOptions(exchange: Exchange, outcome: SignInOutcome): NextAuthOptions {
  const { services, request } = exchange;
  return {
    secret: sessionSecret(services),
    useSecureCookies: usesSecureCookies(services),
    session: { strategy: 'jwt', maxAge: SESSION_IDLE_SECONDS },
    pages: { signIn: '/login', error: '/login' },
    providers: [
      createCredentialsProvider(exchange, outcome),
      ...(services.settings.oidc ? [createOidcProvider(services.settings.oidc)] : []),
    ],
    callbacks: {
      signIn: async ({ account, profile }) => {
        if (account?.type !== 'oauth') return true;
        const result = await authorizeOidc(services, request.headers, profile);
        if ('rejected' in result) return `${services.settings.baseUrl}/login?error=${result.rejected}`;
        outcome.attempt = result;
        return true;
      },
      jwt: async ({ token, user, account }) => {
        // Neither `attempt` nor `user` is set in requests that only read or renew a session. After a sign-in at the issuer,
        // `user` has the subject of the issuer instead of the account.
        const signedInAccount: unknown = outcome.attempt?.account ?? user;
        if (isSignedIn(signedInAccount)) {
          const { id, sessionVersion } = signedInAccount;
          const now = services.clock.now();
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
        const { baseUrl } = services.settings;
        return new URL(ownPath(url, baseUrl) ?? '/', baseUrl).href;
      },
    },
    events: {
      signOut: async ({ token }) => {
        const claims = readClaims(token, services.clock.now());
        if (!claims) return;
        await endSession(contextOf(exchange), claims, claims.endsAt).catch((error: unknown) => {
          outcome.signOutFailure = { error };
        });
      },
    },
    logger: {
      error: (code) => services.log.warn({ code }, 'sign-in error'),
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
  const claims = readClaims(token, clock.now());
  if (!claims) return;
  await recordSession(contextOf(exchange), claims).catch((error: unknown) => {
    log.warn({ err: error }, 'the use of a sign-in session could not be recorded');
  });
}

/**
 * Checks a session before its cookie is renewed. While the database is down, the session counts as valid.
 * @throws Error for an ended session, whereupon next-auth deletes its cookie
 */
async function rejectEndedSession(
  exchange: Exchange,
  token: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { clock, log } = exchange.services;
  const claims = readClaims(token, clock.now());
  if (!claims) throw new Error(SESSION_ENDED_MESSAGE);
  let account: Awaited<ReturnType<typeof resumeSession>>;
  try {
    account = await resumeSession(contextOf(exchange), claims);
  } catch (error) {
    log.warn({ err: error }, 'sign-in session lookup failed');
    return;
  }
  if (!account) throw new Error(SESSION_ENDED_MESSAGE);
}
