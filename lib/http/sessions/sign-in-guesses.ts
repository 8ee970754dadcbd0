import type { KnownDevice } from '@/lib/domain/accounts';
import { AppError } from '@/lib/core/errors';
import { lockOutMessage } from '@/lib/core/accounts/lock-out';
import { clientNetwork } from '@/lib/infra/egress/ip-address';
import { consumeGuess, type Guess } from '@/lib/http/limits/rate-limit';
import type { Services } from '@/lib/http/services';

/** Source of a guess. */
interface Guesser {
  readonly shared: Pick<Services, 'limiters'>;
  readonly ctx: { readonly actor: { readonly ip: string } };
}

/** Counts one guess at the password of this account. @throws AppError `rate_limited` */
export const countPasswordGuess = (
  { shared, ctx }: Guesser,
  email: string,
  device: KnownDevice | null,
): Promise<Guess> => count(shared, limitsOf(clientNetwork(ctx.actor.ip), email, device));

/**
 * Counts one guess at a code. Only users with the password can guess codes, so wrong passwords of others don't count. A
 * password reset proves no second factor, so it allows no further guesses.
 * @throws AppError `rate_limited`
 */
export function countCodeGuess(
  { shared, ctx }: Guesser,
  email: string,
  device: KnownDevice | null,
): Promise<Guess> {
  const deviceOfAccount = device?.proof === 'sign-in' ? device : null;
  // Typed addresses are lower case, so none of them can share these counters.
  return count(shared, limitsOf(`CODE ${clientNetwork(ctx.actor.ip)}`, `CODE ${email}`, deviceOfAccount));
}

/**
 * A signature can't be guessed: this limits how many a network makes the service verify.
 * @throws AppError `rate_limited`
 */
export const countPasskey = ({ shared, ctx }: Guesser): Promise<Guess> =>
  count(shared, [['signInPerIp', clientNetwork(ctx.actor.ip)]]);

/** Resets the guesses at the password of this account, in total and for this network. */
export async function clearPasswordGuesses(
  { services: { limiters }, ip }: { readonly services: Pick<Services, 'limiters'>; readonly ip: string },
  email: string,
): Promise<void> {
  await Promise.all([
    limiters.clear('signInPerEmail', email),
    limiters.clear('signInPerEmailAndIp', `${email} ${clientNetwork(ip)}`),
  ]);
}

type Limits = Parameters<typeof consumeGuess>[1];

const limitsOf = (network: string, email: string, device: KnownDevice | null): Limits =>
  device
    ? [['signInPerDevice', device.deviceId]]
    : [
        ['signInPerEmailAndIp', `${email} ${network}`],
        ['signInPerIp', network],
        ['signInPerEmail', email],
      ];

async function count({ limiters }: Guesser['shared'], limits: Limits): Promise<Guess> {
  const guess = await consumeGuess(limiters, limits);
  if (!guess.refused) return guess;
  const retryAfter = Math.max(1, guess.refused.reset);
  throw new AppError('rate_limited', lockOutMessage(retryAfter), { retryAfter });
}
