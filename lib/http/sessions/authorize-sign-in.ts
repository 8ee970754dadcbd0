import {
  authenticatePassword,
  completeSignIn,
  createPendingSignInToken,
  signInWithPasskey,
  type PendingSignIn,
} from '@/lib/domain/accounts';
import type { Context } from '@/lib/domain/context';
import { passkeyAssertion } from '@/lib/contract/accounts/sign-in-factors';
import type { SecondStep } from '@/lib/core/accounts/sign-in-steps';
import { AppError } from '@/lib/core/errors';
import { forwardedAddress } from '@/lib/infra/egress/ip-address';
import { createDeviceCookie, findDeviceOfCookie } from './device-cookie';
import { readBrowserId, findPendingOfCookie, createSecondStepCookie } from './second-step-cookie';
import type { Guess } from '@/lib/http/limits/rate-limit';
import type { Services } from '@/lib/http/services';
import { countCodeGuess, countPasskeyCheck, countPasswordGuess } from './sign-in-guesses';

export interface SignInAttempt {
  /** Null after wrong credentials, and while a second step is missing. */
  readonly account: { readonly id: string; readonly email: string; readonly sessionVersion: number } | null;
  /** Set-Cookie headers for the browser that signed in. */
  readonly cookies: readonly string[];
  /** Second steps that the person can choose from; absent if the password was wrong or the sign-in is complete. */
  readonly missingSteps?: readonly SecondStep[];
}

type VisitorContext = Context & { readonly actor: { readonly ip: string } };

/** A step of a sign-in, without its credentials. */
interface Step {
  readonly services: Services;
  readonly ctx: VisitorContext;
  /** The Cookie header of the request. */
  readonly cookieHeader: string | null;
}

/**
 * Checks one step of a sign-in: a password, then a code or a passkey if the account has a second factor; or a passkey
 * alone. A guess is counted before the check, and refunded unless it was wrong. A browser that signed in to this account
 * before has its own limit, so guesses by others can't lock the owner out; the second step is still required.
 * @throws AppError `rate_limited`, `unavailable`, `forbidden` for a second step that comes too late
 */
export async function authorizeSignIn(
  services: Services,
  headers: Headers,
  credentials: Readonly<Record<string, unknown>> | undefined,
): Promise<SignInAttempt> {
  const step = {
    services,
    ctx: createAnonymousContext(services, headers),
    cookieHeader: headers.get('cookie'),
  };
  const readField = (name: string) => textOrEmpty(credentials?.[name]);
  try {
    if (credentials?.['passkey'] !== undefined)
      return await checkPasskey(step, readField('passkey'), readField('second') !== '');
    if (credentials?.['code'] !== undefined) return await checkCode(step, readField('code'));
    // 254 characters is the longest valid address (RFC 5321).
    const email = readField('email').slice(0, 254).trim().toLowerCase();
    return await checkPassword(step, { email, password: readField('password') });
  } catch (error) {
    if (error instanceof AppError) throw error;
    services.log.error({ err: error }, 'sign-in failed');
    throw new AppError('unavailable', 'Login is temporarily unavailable. Try again in a minute', {
      retryAfter: 60,
    });
  }
}

async function checkPassword(
  step: Step,
  credentials: { readonly email: string; readonly password: string },
): Promise<SignInAttempt> {
  const device = await findDeviceOfCookie(step.ctx, step.cookieHeader, credentials.email);
  const guess = await countPasswordGuess(step, credentials.email, device);
  const account = await checkGuess(guess, authenticatePassword(step.ctx, credentials));
  if (!account) return rejectedAttempt;
  const { steps: missingSteps, ...signedIn } = account;
  if (missingSteps.length === 0) return completeAttempt(step, signedIn, device?.deviceId);
  return {
    account: null,
    missingSteps,
    cookies: [createSecondStepCookie(step.ctx, createPendingSignInToken(step.ctx, account))],
  };
}

async function checkCode(step: Step, code: string): Promise<SignInAttempt> {
  const pendingSignIn = await requirePending(step);
  const device = await findDeviceOfCookie(step.ctx, step.cookieHeader, pendingSignIn.email);
  const guess = await countCodeGuess(step, pendingSignIn.email, device);
  const account = await checkGuess(guess, completeSignIn(step.ctx, pendingSignIn, code));
  return account ? completeAttempt(step, account, device?.deviceId) : rejectedAttempt;
}

/**
 * Checks a passkey.
 * @param text `AuthenticationResponseJSON`
 * @param isSecondStep whether the passkey follows a password, so that it must belong to the same account
 */
async function checkPasskey(step: Step, text: string, isSecondStep: boolean): Promise<SignInAttempt> {
  const { ctx, cookieHeader } = step;
  const pendingSignIn = isSecondStep ? await requirePending(step) : null;
  const guess = await countPasskeyCheck(step);
  const assertion = passkeyAssertion.safeParse(parseJson(text));
  const boundTo = pendingSignIn ? pendingSignIn.id : readBrowserId(ctx, cookieHeader);
  if (!assertion.success || boundTo === null) return rejectedAttempt;
  const binding = { boundTo, ...(pendingSignIn ? { userId: pendingSignIn.userId } : {}) };
  const account = await checkGuess(guess, signInWithPasskey(ctx, assertion.data, binding));
  if (!account) return rejectedAttempt;
  const device = await findDeviceOfCookie(ctx, cookieHeader, account.email);
  return completeAttempt(step, account, device?.deviceId);
}

const rejectedAttempt: SignInAttempt = { account: null, cookies: [] };

/** The result after the last step: the account, a cookie that makes the browser known, and the end of the second step's cookie. */
async function completeAttempt(
  { ctx, cookieHeader }: Step,
  account: NonNullable<SignInAttempt['account']>,
  deviceId: string | undefined,
): Promise<SignInAttempt> {
  const device = { userId: account.id, deviceId };
  return {
    account,
    cookies: [await createDeviceCookie(ctx, cookieHeader, device), createSecondStepCookie(ctx, null)],
  };
}

/** @throws AppError `forbidden` if the password was not checked, or more than ten minutes ago */
async function requirePending({ ctx, cookieHeader }: Step): Promise<PendingSignIn> {
  const pendingSignIn = await findPendingOfCookie(ctx, cookieHeader);
  if (pendingSignIn) return pendingSignIn;
  throw new AppError('forbidden', 'This login has expired. Enter your password again');
}

/** Waits for a check, and refunds the guess if it was right or the check failed. */
async function checkGuess<T>(guess: Guess, check: Promise<T | null>): Promise<T | null> {
  const outcome = await check.catch(async (error: unknown) => {
    await guess.refund();
    throw error;
  });
  if (outcome !== null) await guess.refund();
  return outcome;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The context of a visitor who is not signed in. */
export function createAnonymousContext({ db, clock, log, secrets, settings }: Services, headers: Headers) {
  const userAgent = headers.get('user-agent');
  const ip = forwardedAddress(headers);
  const actor = { kind: 'anonymous', ip, ...(userAgent === null ? {} : { userAgent }) } as const;
  return { actor, db, clock, log, secrets, settings };
}

/** Form fields can have any type. */
function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
