import { authenticatePassword } from '@/lib/accounts';
import type { Context } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { waitInWords } from '@/lib/core/reply-text';
import { clientNetwork, forwardedAddress } from '@/lib/infra/egress/ip-address';
import { deviceCookie, deviceOfCookie } from './device-cookie';
import { consumeGuess } from '@/lib/http/limits/rate-limit';
import type { Services } from '@/lib/http/services';

/** Result of a sign-in with a password. */
export interface SignInAttempt {
  /** Null for wrong credentials. */
  readonly account: { readonly id: string; readonly email: string; readonly sessionVersion: number } | null;
  /** Set-Cookie lines for the browser that signed in. */
  readonly cookies: readonly string[];
}

/**
 * Checks credentials. A guess is counted before the password is checked, and refunded unless it was wrong. A browser
 * that signed in to this account before has its own limit, so guesses by others cannot lock the owner out.
 * @throws AppError `rate_limited`, `unavailable`
 */
export async function authorizeSignIn(
  shared: Services,
  headers: Headers,
  credentials: Readonly<Record<string, unknown>> | undefined,
): Promise<SignInAttempt> {
  const ctx = anonymousContext(shared, headers);
  const email = textOf(credentials?.['email']).slice(0, 254).trim().toLowerCase();
  const password = textOf(credentials?.['password']);
  try {
    return await attempt(shared, ctx, { email, password, cookieHeader: headers.get('cookie') });
  } catch (error) {
    if (error instanceof AppError) throw error;
    shared.log.error({ err: error }, 'sign-in failed');
    throw new AppError('unavailable', 'Login is temporarily unavailable. Try again in a minute', {
      retryAfter: 60,
    });
  }
}

interface Typed {
  readonly email: string;
  readonly password: string;
  readonly cookieHeader: string | null;
}

async function attempt(
  { limiters }: Services,
  ctx: Context & { readonly actor: { readonly ip: string } },
  { email, password, cookieHeader }: Typed,
): Promise<SignInAttempt> {
  const device = await deviceOfCookie(ctx, cookieHeader, email);
  const network = clientNetwork(ctx.actor.ip);
  const guess = await consumeGuess(
    limiters,
    device
      ? [['signInPerDevice', device.deviceId]]
      : [
          ['signInPerEmailAndIp', `${email} ${network}`],
          ['signInPerIp', network],
          ['signInPerEmail', email],
        ],
  );
  if (guess.refused) {
    const { reset } = guess.refused;
    throw new AppError('rate_limited', `Too many attempts to log in. Try again in ${waitInWords(reset)}`, {
      retryAfter: Math.max(1, reset),
    });
  }
  const account = await authenticatePassword(ctx, { email, password }).catch(async (error: unknown) => {
    await guess.refund();
    throw error;
  });
  if (!account) return { account, cookies: [] };
  await guess.refund();
  const known = { userId: account.id, deviceId: device?.deviceId };
  return { account, cookies: [await deviceCookie(ctx, cookieHeader, known)] };
}

export function anonymousContext({ db, clock, log, secrets, settings }: Services, headers: Headers) {
  const userAgent = headers.get('user-agent');
  const ip = forwardedAddress(headers);
  const actor = { kind: 'anonymous', ip, ...(userAgent === null ? {} : { userAgent }) } as const;
  return { actor, db, clock, log, secrets, settings };
}

/** The form may send anything. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
