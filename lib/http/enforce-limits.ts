import type { Endpoint } from '@/lib/contract/define-endpoint';
import type { Exchange } from './exchange';
import { limitHeaders, tooMany } from './rate-limit';

/**
 * Counts the request against the caller's limit, and against the endpoint's own one where it has it.
 * @throws AppError `rate_limited`
 */
export async function enforceLimits(exchange: Exchange, endpoint: Endpoint): Promise<void> {
  const { actor, services, ip } = exchange;
  if ('userId' in actor) {
    const state = await services.limiters.take('api', actor.keyId ?? actor.userId);
    for (const [name, value] of Object.entries(limitHeaders(state))) exchange.headers.set(name, value);
    if (state.exceeded) throw tooMany(state, 'requests');
  }
  if (endpoint.limit === 'sign-up') {
    const state = await services.limiters.take('signUpPerIp', ip);
    if (state.exceeded) throw tooMany(state, 'sign-ups from this address');
  }
  if (endpoint.limit === 'reveal' && 'userId' in actor) {
    const state = await services.limiters.take('reveal', actor.userId);
    if (state.exceeded) throw tooMany(state, 'requests to show a secret');
  }
  if (endpoint.limit === 'password' && 'userId' in actor) {
    const state = await services.limiters.take('password', actor.userId);
    if (state.exceeded) throw tooMany(state, 'attempts with the password');
  }
  if (endpoint.limit === 'resend' && 'userId' in actor) {
    const [webhookId] = /[0-9a-f-]{36}/i.exec(exchange.request.url) ?? [];
    // Without an id nothing will be found.
    if (webhookId === undefined) return;
    const state = await services.limiters.take('resend', `${actor.userId}:${webhookId.toLowerCase()}`);
    if (state.exceeded) throw tooMany(state, 'deliveries asked for again');
  }
}
