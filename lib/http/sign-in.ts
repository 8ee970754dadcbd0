import NextAuth, { type NextAuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { statusOfError } from '@/lib/core/error-status';
import { AppError } from '@/lib/core/errors';
import { ownPath } from '@/lib/core/own-path';
import { authorizeSignIn, type SignInAttempt } from './authorize-sign-in';
import { errorResponse } from './error-response';
import { beginExchange } from './exchange';
import { services, type Services } from './services';
import { sessionIdleSeconds, sessionSecret, usesSecureCookies } from './session-cookie';

const largestForm = 16 * 1024;

/** next-auth behind one door: nothing else in the product knows it. */
export async function signInHandler(request: Request, context: unknown): Promise<Response> {
  const shared = services();
  const exchange = beginExchange(shared, request, null);
  // next-auth reads whatever comes; forms of ours are small and say how long they are.
  const length = request.headers.get('content-length');
  if (request.method === 'POST' && !(length !== null && Number(length) <= largestForm)) {
    const error = new AppError('payload_too_large', `the form must be at most ${largestForm} bytes`);
    return errorResponse(exchange, error);
  }
  const outcome: Outcome = { attempt: null, refusal: null };
  const options = optionsFor(shared, request, outcome);
  const handler = NextAuth(options) as (request: Request, context: unknown) => Promise<Response>;
  const response = await handler(request, context);
  // What next-auth refuses in plain text, such as an unknown path, is a request we do not understand.
  const ours = response.status < 400 || response.headers.get('content-type')?.includes('json');
  if (!ours) return errorResponse(exchange, new AppError('bad_request', 'not a sign-in request'));
  for (const line of outcome.attempt?.cookies ?? []) response.headers.append('set-cookie', line);
  return outcome.refusal ? withStatusOf(outcome.refusal, response) : response;
}

/** What the callbacks of one request found out, which next-auth has no place for. */
interface Outcome {
  attempt: SignInAttempt | null;
  refusal: AppError | null;
}

/** next-auth calls every refusal 401; the log-in page reads its body all the same. */
function withStatusOf({ code, retryAfter }: AppError, response: Response): Response {
  if (response.status !== 401) return response;
  if (retryAfter !== undefined) response.headers.set('retry-after', String(retryAfter));
  return new Response(response.body, { status: statusOfError(code), headers: response.headers });
}

function optionsFor(shared: Services, { headers }: Request, outcome: Outcome): NextAuthOptions {
  return {
    secret: sessionSecret(shared),
    useSecureCookies: usesSecureCookies(shared),
    session: { strategy: 'jwt', maxAge: sessionIdleSeconds },
    pages: { signIn: '/login', error: '/login' },
    providers: [
      CredentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize: async (credentials) => {
          try {
            outcome.attempt = await authorizeSignIn(shared, headers, credentials);
          } catch (error) {
            // The browser is shown the sentence of whatever is thrown here.
            if (error instanceof AppError) outcome.refusal = error;
            throw error;
          }
          return outcome.attempt.account;
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => ({ ...token, ...claimsOf(user) }),
      // Only paths of our own: no redirect to another site after signing in.
      redirect: ({ url }) => {
        const { baseUrl } = shared.settings;
        return new URL(ownPath(url, baseUrl) ?? '/', baseUrl).href;
      },
    },
    logger: {
      error: (code) => shared.log.warn({ code }, 'sign-in'),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

/** `user` is there at sign-in only; later calls keep what was claimed then. */
function claimsOf(user: object | undefined): Record<string, unknown> {
  if (!user || !('sessionVersion' in user) || !('id' in user)) return {};
  return { sub: user.id, sessionVersion: user.sessionVersion, signedInAt: Date.now() };
}
