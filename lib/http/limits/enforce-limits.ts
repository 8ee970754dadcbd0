import type { TeamActor } from '@/lib/domain/context';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { networkOfIp } from '@/lib/infra/egress/ip-address';
import type { Exchange } from '@/lib/http/exchange';
import type { RouteParams } from '@/lib/http/read-input';
import { type Guess, type Limiters, consumeGuess, limitHeaders, createTooManyError } from './rate-limit';

/**
 * Counts the request against the caller's limit, and against the endpoint's own limit if it has one.
 * @returns a function that refunds a counted guess at a password or secret; it does nothing for other requests
 * @throws AppError `rate_limited`
 */
export async function enforceLimits(
  exchange: Exchange,
  endpoint: Endpoint,
  params: RouteParams,
): Promise<Guess['refund']> {
  const { actor, services, ip } = exchange;
  if ('teamId' in actor) {
    const state = await services.limiters.consume('api', actor.keyId ?? callerIdOf(actor));
    for (const [name, value] of Object.entries(limitHeaders(state))) exchange.headers.set(name, value);
    if (state.exceeded) throw createTooManyError(state, 'requests');
  } else if (endpoint.rateLimit !== undefined && endpoint.rateLimit in limitsPerAddress) {
    const { name, subject } = limitsPerAddress[endpoint.rateLimit as keyof typeof limitsPerAddress];
    const state = await services.limiters.consume(name, networkOfIp(ip));
    if (state.exceeded) throw createTooManyError(state, `${subject} from this address`);
  }
  if (endpoint.rateLimit === 'resend' && 'teamId' in actor) {
    const [webhookId] = /[0-9a-f-]{36}/i.exec(exchange.request.url) ?? [];
    // A request without an id fails validation.
    if (webhookId === undefined) return noRefund;
    const state = await services.limiters.consume('resend', `${actor.teamId}:${webhookId.toLowerCase()}`);
    if (state.exceeded) throw createTooManyError(state, 'resent deliveries');
  }
  if (endpoint.rateLimit === 'target-test' && 'teamId' in actor) {
    const state = await services.limiters.consume('targetTest', actor.teamId);
    if (state.exceeded) throw createTooManyError(state, 'tests of targets');
  }
  const { rateLimit } = endpoint;
  if (rateLimit === 'playback-password') {
    const { id } = await params;
    const guess = await consumePlaybackGuess(services.limiters, networkOfIp(ip), String(id));
    if (guess.exceededLimit) throw createTooManyError(guess.exceededLimit, guessSubjects.password);
    return guess.refund;
  }
  if ((rateLimit !== 'reveal' && rateLimit !== 'password') || !('teamId' in actor)) return noRefund;
  const guess = await consumeGuess(services.limiters, [[rateLimit, callerIdOf(actor)]]);
  if (guess.exceededLimit) throw createTooManyError(guess.exceededLimit, guessSubjects[rateLimit]);
  return guess.refund;
}

/**
 * Counts a guess at the password of a stream, asset or recording, per network and per password. During an attack from many
 * networks, each network gets one guess, up to another limit, so that viewers with the right password still get in.
 */
async function consumePlaybackGuess(limiters: Limiters, network: string, id: string): Promise<Guess> {
  const addressCounter = ['playbackPasswordPerIp', network] as const;
  const guess = await consumeGuess(limiters, [addressCounter, ['playbackPasswordPerStream', id]]);
  if (!guess.exceededLimit) return guess;
  return consumeGuess(limiters, [
    addressCounter,
    ['playbackPasswordPerIpAndStream', `${network} ${id}`],
    ['playbackPasswordBeyond', id],
  ]);
}

/** Limits per network for requests without a key or session, and their subject in the error message. */
const limitsPerAddress = {
  'sign-up': { name: 'signUpPerIp', subject: 'sign-ups' },
  link: { name: 'linkPerIp', subject: 'attempts' },
  'reset-request': { name: 'resetRequestPerIp', subject: 'requests' },
  'viewer-clip': { name: 'viewerClipPerIp', subject: 'clips' },
  'playback-report': { name: 'playbackReportPerIp', subject: 'playback reports' },
  'public-totals': { name: 'publicTotalsPerIp', subject: 'requests without a key' },
} as const;

/** The account of a person; the team for an API key. */
const callerIdOf = ({ userId, teamId }: TeamActor): string => userId ?? teamId;

const noRefund = () => Promise.resolve();
const guessSubjects = { reveal: 'requests to reveal a secret', password: 'password attempts' };
