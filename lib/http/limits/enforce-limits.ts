import type { Endpoint } from '@/lib/contract/define-endpoint';
import { clientNetwork } from '@/lib/infra/egress/ip-address';
import type { Exchange } from '@/lib/http/exchange';
import { type Guess, limitHeaders, takeGuess, tooMany } from './rate-limit';

/**
 * Counts the request against the caller's limit, and against the endpoint's own one where it has it.
 * @returns how to give back what was counted for a password that turned out to be right
 * @throws AppError `rate_limited`
 */
export async function enforceLimits(exchange: Exchange, endpoint: Endpoint): Promise<Guess['giveBack']> {
  const { actor, services, ip } = exchange;
  if ('userId' in actor) {
    const state = await services.limiters.take('api', actor.keyId ?? actor.userId);
    for (const [name, value] of Object.entries(limitHeaders(state))) exchange.headers.set(name, value);
    if (state.exceeded) throw tooMany(state, 'requests');
  }
  if (endpoint.limit === 'sign-up') {
    const state = await services.limiters.take('signUpPerIp', clientNetwork(ip));
    if (state.exceeded) throw tooMany(state, 'sign-ups from this address');
  }
  if (endpoint.limit === 'resend' && 'userId' in actor) {
    const [webhookId] = /[0-9a-f-]{36}/i.exec(exchange.request.url) ?? [];
    // Without an id nothing will be found.
    if (webhookId === undefined) return nothingToGiveBack;
    const state = await services.limiters.take('resend', `${actor.userId}:${webhookId.toLowerCase()}`);
    if (state.exceeded) throw tooMany(state, 'resent deliveries');
  }
  const { limit } = endpoint;
  if ((limit !== 'reveal' && limit !== 'password') || !('userId' in actor)) return nothingToGiveBack;
  const guess = await takeGuess(services.limiters, [[limit, actor.userId]]);
  if (guess.refused) throw tooMany(guess.refused, guessesInWords[limit]);
  return guess.giveBack;
}

const nothingToGiveBack = () => Promise.resolve();
const guessesInWords = { reveal: 'requests to reveal a secret', password: 'password attempts' };
