import type { KnownDevice } from '@/lib/domain/accounts';
import { AppError } from '@/lib/core/errors';
import { lockOutMessage } from '@/lib/core/accounts/lock-out';
import { networkOfIp } from '@/lib/infra/egress/ip-address';
import { consumeGuess, type Guess } from '@/lib/http/limits/rate-limit';
import type { Services } from '@/lib/http/services';

/** Source of a guess. */
interface GuessSource {
  readonly services: Pick<Services, 'limiters'>;
  readonly ctx: { readonly actor: { readonly ip: string } };
}

/**
 * Counts one guess at the password of this account.
 * @throws AppError `rate_limited`
 */
export const countPasswordGuess = (
  { services, ctx }: GuessSource,
  email: string,
  device: KnownDevice | null,
): Promise<Guess> => countGuess(services, countersOf(networkOfIp(ctx.actor.ip), email, device));

/**
 * Counts one guess at a code, separately from wrong passwords, because only people with the password can guess codes. A
 * device that is known from a password reset has no limit of its own, because a reset proves no second factor.
 * @throws AppError `rate_limited`
 */
export function countCodeGuess(
  { services, ctx }: GuessSource,
  email: string,
  device: KnownDevice | null,
): Promise<Guess> {
  const deviceOfAccount = device?.proof === 'sign-in' ? device : null;
  // Typed addresses are lower case, so none of them can share these counters.
  return countGuess(
    services,
    countersOf(`CODE ${networkOfIp(ctx.actor.ip)}`, `CODE ${email}`, deviceOfAccount),
  );
}

/**
 * Counts one check of a passkey. Signatures can't be guessed; the limit is for the work of verifying them.
 * @throws AppError `rate_limited`
 */
export const countPasskeyCheck = ({ services, ctx }: GuessSource): Promise<Guess> =>
  countGuess(services, [['signInPerIp', networkOfIp(ctx.actor.ip)]]);

/** Resets the guesses at the password of this account, in total and for this network. */
export async function clearPasswordGuesses(
  { services: { limiters }, ip }: { readonly services: Pick<Services, 'limiters'>; readonly ip: string },
  email: string,
): Promise<void> {
  await Promise.all([
    limiters.clear('signInPerEmail', email),
    limiters.clear('signInPerEmailAndIp', `${email} ${networkOfIp(ip)}`),
  ]);
}

type Counters = Parameters<typeof consumeGuess>[1];

const countersOf = (network: string, email: string, device: KnownDevice | null): Counters =>
  device
    ? [['signInPerDevice', device.deviceId]]
    : [
        ['signInPerEmailAndIp', `${email} ${network}`],
        ['signInPerIp', network],
        ['signInPerEmail', email],
      ];

async function countGuess({ limiters }: GuessSource['services'], limits: Counters): Promise<Guess> {
  const guess = await consumeGuess(limiters, limits);
  if (!guess.exceededLimit) return guess;
  const retryAfterSeconds = Math.max(1, guess.exceededLimit.resetSeconds);
  throw new AppError('rate_limited', lockOutMessage(retryAfterSeconds), { retryAfter: retryAfterSeconds });
}
