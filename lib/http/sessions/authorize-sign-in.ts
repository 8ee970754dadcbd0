import {
  authenticatePassword,
  completeSignIn,
  makePendingSignIn,
  signInWithPasskey,
  type PendingSignIn,
} from '@/lib/domain/accounts';
import type { Context } from '@/lib/domain/context';
import { passkeyAssertion } from '@/lib/contract/accounts/sign-in-factors';
import type { SecondStep } from '@/lib/core/accounts/sign-in-steps';
import { AppError } from '@/lib/core/errors';
import { forwardedAddress } from '@/lib/infra/egress/ip-address';
import { deviceCookie, deviceOfCookie } from './device-cookie';
import { browserOfCookie, pendingOfCookie, secondStepCookie } from './second-step-cookie';
import type { Guess } from '@/lib/http/limits/rate-limit';
import type { Services } from '@/lib/http/services';
import { countCodeGuess, countPasskey, countPasswordGuess } from './sign-in-guesses';

export interface SignInAttempt {
  /** Null for wrong credentials, and before the last step. */
  readonly account: { readonly id: string; readonly email: string; readonly sessionVersion: number } | null;
  /** Set-Cookie headers for the browser that signed in. */
  readonly cookies: readonly string[];
  /** Remaining steps of the sign-in. */
  readonly steps?: readonly SecondStep[];
}

type VisitorContext = Context & { readonly actor: { readonly ip: string } };

/** Context of one step besides the credentials. */
interface Step {
  readonly shared: Services;
  readonly ctx: VisitorContext;
  readonly cookieHeader: string | null;
}

/**
 * Checks one step of a sign-in: a password, then a code or a passkey if the account has a second factor; or a passkey
 * alone. A guess is counted before the check, and refunded unless it was wrong. A browser that signed in to this account
 * before has its own limit, so guesses by others can't lock the owner out; the second step is still required.
 * @throws AppError `rate_limited`, `unavailable`, `forbidden` for a second step that comes too late
 */
export async function authorizeSignIn(
  shared: Services,
  headers: Headers,
  credentials: Readonly<Record<string, unknown>> | undefined,
): Promise<SignInAttempt> {
  const step = { shared, ctx: anonymousContext(shared, headers), cookieHeader: headers.get('cookie') };
  const textField = (name: string) => textOf(credentials?.[name]);
  try {
    if (credentials?.['passkey'] !== undefined)
      return await passkeyStep(step, textField('passkey'), textField('second') !== '');
    if (credentials?.['code'] !== undefined) return await codeStep(step, textField('code'));
    const email = textField('email').slice(0, 254).trim().toLowerCase();
    return await passwordStep(step, { email, password: textField('password') });
  } catch (error) {
    if (error instanceof AppError) throw error;
    shared.log.error({ err: error }, 'sign-in failed');
    throw new AppError('unavailable', 'Login is temporarily unavailable. Try again in a minute', {
      retryAfter: 60,
    });
  }
}

async function passwordStep(
  step: Step,
  credentials: { readonly email: string; readonly password: string },
): Promise<SignInAttempt> {
  const device = await deviceOfCookie(step.ctx, step.cookieHeader, credentials.email);
  const guess = await countPasswordGuess(step, credentials.email, device);
  const account = await checkGuess(guess, authenticatePassword(step.ctx, credentials));
  if (!account) return refusedAttempt;
  const { steps, ...signedIn } = account;
  if (steps.length === 0) return openSession(step, signedIn, device?.deviceId);
  return {
    account: null,
    steps,
    cookies: [secondStepCookie(step.ctx, makePendingSignIn(step.ctx, account))],
  };
}

async function codeStep(step: Step, code: string): Promise<SignInAttempt> {
  const pending = await requirePending(step);
  const device = await deviceOfCookie(step.ctx, step.cookieHeader, pending.email);
  const guess = await countCodeGuess(step, pending.email, device);
  const account = await checkGuess(guess, completeSignIn(step.ctx, pending, code));
  return account ? openSession(step, account, device?.deviceId) : refusedAttempt;
}

/** @param text `AuthenticationResponseJSON` @param second whether it follows the password, and must be of that account */
async function passkeyStep(step: Step, text: string, second: boolean): Promise<SignInAttempt> {
  const { ctx, cookieHeader } = step;
  const pending = second ? await requirePending(step) : null;
  const guess = await countPasskey(step);
  const assertion = passkeyAssertion.safeParse(jsonOf(text));
  const boundTo = pending ? pending.id : browserOfCookie(ctx, cookieHeader);
  if (!assertion.success || boundTo === null) return refusedAttempt;
  const use = { boundTo, ...(pending ? { userId: pending.userId } : {}) };
  const account = await checkGuess(guess, signInWithPasskey(ctx, assertion.data, use));
  if (!account) return refusedAttempt;
  const device = await deviceOfCookie(ctx, cookieHeader, account.email);
  return openSession(step, account, device?.deviceId);
}

const refusedAttempt: SignInAttempt = { account: null, cookies: [] };

/** Opens the session after the last step. */
async function openSession(
  { ctx, cookieHeader }: Step,
  account: NonNullable<SignInAttempt['account']>,
  deviceId: string | undefined,
): Promise<SignInAttempt> {
  const device = { userId: account.id, deviceId };
  return {
    account,
    cookies: [await deviceCookie(ctx, cookieHeader, device), secondStepCookie(ctx, null)],
  };
}

async function requirePending({ ctx, cookieHeader }: Step): Promise<PendingSignIn> {
  const pending = await pendingOfCookie(ctx, cookieHeader);
  if (pending) return pending;
  throw new AppError('forbidden', 'This login has expired. Enter your password again');
}

/** The result of a check. The guess is refunded if it was right, or could not be checked. */
async function checkGuess<T>(guess: Guess, check: Promise<T | null>): Promise<T | null> {
  const outcome = await check.catch(async (error: unknown) => {
    await guess.refund();
    throw error;
  });
  if (outcome !== null) await guess.refund();
  return outcome;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function anonymousContext({ db, clock, log, secrets, settings }: Services, headers: Headers) {
  const userAgent = headers.get('user-agent');
  const ip = forwardedAddress(headers);
  const actor = { kind: 'anonymous', ip, ...(userAgent === null ? {} : { userAgent }) } as const;
  return { actor, db, clock, log, secrets, settings };
}

/** Form fields can have any type. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
