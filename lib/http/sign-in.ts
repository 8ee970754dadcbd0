import NextAuth, { type NextAuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { authenticatePassword } from '@/lib/accounts';
import type { Context } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { clientAddress } from './client-address';
import { errorResponse } from './error-response';
import { beginExchange } from './exchange';
import { services, type Services } from './services';
import { sessionIdleSeconds, sessionSecret, usesSecureCookies } from './session-cookie';

/** What the log-in page shows when somebody tried too often. */
const tooManyAttempts = 'Too many attempts: try again in a quarter of an hour';

/** The same while the database does not answer. */
const unavailable = 'The server cannot log anyone in just now';

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
  const handler = NextAuth(optionsFor(shared)) as (request: Request, context: unknown) => Promise<Response>;
  const response = await handler(request, context);
  // What next-auth refuses in plain text, such as an unknown path, is a request we do not understand.
  const ours = response.status < 400 || response.headers.get('content-type')?.includes('json');
  return ours ? response : errorResponse(exchange, new AppError('bad_request', 'not a sign-in request'));
}

function optionsFor(shared: Services): NextAuthOptions {
  return {
    secret: sessionSecret(shared),
    useSecureCookies: usesSecureCookies(shared),
    session: { strategy: 'jwt', maxAge: sessionIdleSeconds },
    pages: { signIn: '/login', error: '/login' },
    providers: [
      CredentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize: (credentials, request) =>
          authorize(shared, new Headers(request.headers as Record<string, string>), credentials),
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => ({ ...token, ...claimsOf(user) }),
      // Only paths of our own: no redirect to another site after signing in.
      redirect: ({ url }) => new URL(pathOf(url), shared.settings.baseUrl).href,
    },
    logger: {
      error: (code) => shared.log.warn({ code }, 'sign-in'),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly sessionVersion: number;
}

/** `user` is there at sign-in only; later calls keep what was claimed then. */
function claimsOf(user: object | undefined): Record<string, unknown> {
  if (!user || !('sessionVersion' in user) || !('id' in user)) return {};
  return { sub: user.id, sessionVersion: user.sessionVersion, signedInAt: Date.now() };
}

/** The account of these credentials; null when they are wrong. Only failures count against the limits. */
async function authorize(
  shared: Services,
  headers: Headers,
  credentials: Readonly<Record<string, unknown>> | undefined,
): Promise<SignedInUser | null> {
  const email = textOf(credentials?.['email']).slice(0, 254);
  const ip = clientAddress(headers);
  const counters = [
    ['signInPerEmailAndIp', `${email.trim().toLowerCase()} ${ip}`],
    ['signInPerIp', ip],
    ['signInPerEmail', email.trim().toLowerCase()],
  ] as const;
  const states = await Promise.all(counters.map(([name, key]) => shared.limiters.peek(name, key)));
  if (states.some(({ exceeded }) => exceeded)) throw new Error(tooManyAttempts);
  const { db, clock, log, secrets, settings } = shared;
  const userAgent = headers.get('user-agent');
  const actor = { kind: 'anonymous', ip, ...(userAgent === null ? {} : { userAgent }) } as const;
  const ctx: Context = { actor, db, clock, log, secrets, settings };
  const password = textOf(credentials?.['password']);
  const account = await authenticatePassword(ctx, { email, password }).catch((error: unknown) => {
    // The browser is shown the message of what is thrown here, so it must say nothing.
    log.error({ err: error }, 'sign-in failed');
    throw new Error(unavailable);
  });
  if (!account) await Promise.all(counters.map(([name, key]) => shared.limiters.take(name, key)));
  return account;
}

/** The form may send anything. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url, 'http://localhost');
  return pathname.startsWith('//') ? '/' : `${pathname}${search}`;
}
