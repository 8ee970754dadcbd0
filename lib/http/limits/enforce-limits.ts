import type { TeamActor } from '@/lib/domain/context';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { clientNetwork } from '@/lib/infra/egress/ip-address';
import type { Exchange } from '@/lib/http/exchange';
import type { RouteParams } from '@/lib/http/read-input';
import { type Guess, type Limiters, consumeGuess, limitHeaders, tooMany } from './rate-limit';

/**
 * Counts the request against the caller's limit, and against the endpoint's own limit if it has one.
 * @returns a function that refunds the request if the password was right
 * @throws AppError `rate_limited`
 */
export async function enforceLimits(
  exchange: Exchange,
  endpoint: Endpoint,
  params: RouteParams,
): Promise<Guess['refund']> {
  const { actor, services, ip } = exchange;
  if ('teamId' in actor) {
    const state = await services.limiters.consume('api', actor.keyId ?? personOf(actor));
    for (const [name, value] of Object.entries(limitHeaders(state))) exchange.headers.set(name, value);
    if (state.exceeded) throw tooMany(state, 'requests');
  } else if (endpoint.limit !== undefined && endpoint.limit in perAddress) {
    const { name, what: subject } = perAddress[endpoint.limit as keyof typeof perAddress];
    const state = await services.limiters.consume(name, clientNetwork(ip));
    if (state.exceeded) throw tooMany(state, `${subject} from this address`);
  }
  if (endpoint.limit === 'resend' && 'teamId' in actor) {
    const [webhookId] = /[0-9a-f-]{36}/i.exec(exchange.request.url) ?? [];
    // A request without an id fails validation.
    if (webhookId === undefined) return noRefund;
    const state = await services.limiters.consume('resend', `${actor.teamId}:${webhookId.toLowerCase()}`);
    if (state.exceeded) throw tooMany(state, 'resent deliveries');
  }
  if (endpoint.limit === 'target-test' && 'teamId' in actor) {
    const state = await services.limiters.consume('targetTest', actor.teamId);
    if (state.exceeded) throw tooMany(state, 'tests of targets');
  }
  const { limit } = endpoint;
  if (limit === 'playback-password') {
    const { id } = await params;
    const guess = await consumePlaybackGuess(services.limiters, clientNetwork(ip), String(id));
    if (guess.refused) throw tooMany(guess.refused, formatGuesses.password);
    return guess.refund;
  }
  if ((limit !== 'reveal' && limit !== 'password') || !('teamId' in actor)) return noRefund;
  const guess = await consumeGuess(services.limiters, [[limit, personOf(actor)]]);
  if (guess.refused) throw tooMany(guess.refused, formatGuesses[limit]);
  return guess.refund;
}

/**
 * Counts a guess at the password of a stream, asset or recording, per address and per password. During an attack from many
 * addresses, each address has one guess left, so that a viewer with the right password still gets in.
 */
async function consumePlaybackGuess(limiters: Limiters, network: string, id: string): Promise<Guess> {
  const perAddress = ['playbackPasswordPerIp', network] as const;
  const guess = await consumeGuess(limiters, [perAddress, ['playbackPasswordPerStream', id]]);
  if (!guess.refused) return guess;
  return consumeGuess(limiters, [
    perAddress,
    ['playbackPasswordPerIpAndStream', `${network} ${id}`],
    ['playbackPasswordBeyond', id],
  ]);
}

/** Limits of visitors without an account. */
const perAddress = {
  'sign-up': { name: 'signUpPerIp', what: 'sign-ups' },
  link: { name: 'linkPerIp', what: 'attempts' },
  'reset-request': { name: 'resetRequestPerIp', what: 'requests' },
  'viewer-clip': { name: 'viewerClipPerIp', what: 'clips' },
  'playback-report': { name: 'playbackReportPerIp', what: 'playback reports' },
  'public-totals': { name: 'publicTotalsPerIp', what: 'requests without a key' },
} as const;

/** Each person has separate limits; a key counts for its team. */
const personOf = ({ userId, teamId }: TeamActor): string => userId ?? teamId;

const noRefund = () => Promise.resolve();
const formatGuesses = { reveal: 'requests to reveal a secret', password: 'password attempts' };
