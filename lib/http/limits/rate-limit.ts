import {
  RateLimiterMemory,
  RateLimiterRes,
  RLWrapperTimeouts,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { AppError } from '@/lib/core/errors';
import { DrawnLimiter } from './drawn-limiter';
import type { LimitStore } from './limit-store';

interface LimitSize {
  /** Maximum number of points in one window. A request or guess costs one point. */
  readonly points: number;
  /** Length of a window. It begins with its first point. */
  readonly seconds: number;
}

/**
 * Rate limits, by name. Each counts separately for each key, which is a network (IP address or prefix), an account or an
 * object.
 */
export const limitSizes = {
  /** Requests of one API key, or of one person's sign-in sessions. This is the default; API_RATE_LIMIT overrides it. */
  api: { points: 600, seconds: 60 },
  signUpPerIp: { points: 10, seconds: 3_600 },
  /** Attempts to use a link from a mail. */
  linkPerIp: { points: 20, seconds: 3_600 },
  /** Password resets and other requests that send a mail. */
  resetRequestPerIp: { points: 10, seconds: 3_600 },
  /** Requests for a stored secret in plain text. */
  reveal: { points: 10, seconds: 3_600 },
  /** Actions that require the account's password. */
  password: { points: 10, seconds: 3_600 },
  /** Guesses at passwords of streams, assets and recordings. */
  playbackPasswordPerIp: { points: 20, seconds: 900 },
  /** Limit of one stream, asset or recording for all networks together. If it is exceeded, the next two limits apply. */
  playbackPasswordPerStream: { points: 300, seconds: 900 },
  /**
   * Guesses per network and stream, asset or recording while `playbackPasswordPerStream` is exceeded, so that attackers can't
   * keep new viewers out.
   */
  playbackPasswordPerIpAndStream: { points: 1, seconds: 900 },
  /**
   * Guesses of all networks at one stream, asset or recording while `playbackPasswordPerStream` is exceeded. Viewers who
   * entered the password before have a token, which is not limited.
   */
  playbackPasswordBeyond: { points: 300, seconds: 900 },
  viewerClipPerIp: { points: 10, seconds: 3_600 },
  /** Reports that players send about a playback. */
  playbackReportPerIp: { points: 10, seconds: 3_600 },
  /** Requests for total views without a key. */
  publicTotalsPerIp: { points: 60, seconds: 60 },
  /** Limit per webhook for resends, replays and test events. */
  resend: { points: 10, seconds: 60 },
  /** Connection tests of multistream targets, per team. */
  targetTest: { points: 6, seconds: 60 },
  /** Limit for sign-ins at the identity provider, because each of them calls its server. */
  oidcPerIp: { points: 60, seconds: 900 },
  signInPerEmailAndIp: { points: 5, seconds: 900 },
  signInPerIp: { points: 20, seconds: 3_600 },
  /**
   * Guesses from all networks together, 96 per day. An attack delays sign-ins until the end of the window. Known
   * devices are exempt.
   */
  signInPerEmail: { points: 12, seconds: 10_800 },
  /** Replaces the other sign-in limits for a browser that signed in to the account before. */
  signInPerDevice: { points: 5, seconds: 900 },
} as const satisfies Record<string, LimitSize>;

type LimitName = keyof typeof limitSizes;

/** A caller's current use, for the RateLimit-* headers. */
interface LimitState {
  /** Points of one window. */
  readonly limit: number;
  /** Points that are left in the current window. */
  readonly remaining: number;
  /** Seconds until the limit resets. */
  readonly resetSeconds: number;
  /** Whether the limit was used up before this point. */
  readonly exceeded: boolean;
}

export interface Limiters {
  /** Counts one point. Resolves with `exceeded: true` if the limit was used up before. */
  readonly consume: (name: LimitName, key: string) => Promise<LimitState>;
  /** Refunds one point that `consume` counted in this window. */
  readonly refund: (name: LimitName, key: string) => Promise<void>;
  /** Resets the count. */
  readonly clear: (name: LimitName, key: string) => Promise<void>;
}

/** How long a request waits for the store before the counters of this process decide. */
const STORE_TIMEOUT_MS = 1_000;

/**
 * Creates the limiters of this process.
 * @param store counters that all processes share; without it, and while it is down, each process counts alone
 */
export function createLimiters(
  sizes: Readonly<Record<LimitName, LimitSize>> = limitSizes,
  store?: LimitStore,
): Limiters {
  const limiters = new Map<LimitName, RateLimiterAbstract>();
  const limiterOf = (name: LimitName) => {
    const limiter = limiters.get(name) ?? createLimiter(name, sizes[name], store);
    limiters.set(name, limiter);
    return limiter;
  };
  // Every API request spends a point, so points are prefetched from the store. They are never refunded.
  const apiLimiter = store && new DrawnLimiter(limiterOf('api'), sizes.api.points);
  type Result = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>;
  const stateOf = (name: LimitName, result: Result, isExceeded: boolean): LimitState => ({
    limit: sizes[name].points,
    remaining: Math.max(0, result.remainingPoints),
    resetSeconds: Math.ceil(result.msBeforeNext / 1000),
    exceeded: isExceeded,
  });
  const toStoredKey = (key: string) => store?.digest(key) ?? key;
  return {
    async consume(name, key) {
      if (name === 'api' && apiLimiter) {
        const outcome = await apiLimiter.consume(toStoredKey(key));
        return stateOf(name, outcome, outcome.exceeded);
      }
      try {
        return stateOf(name, await limiterOf(name).consume(toStoredKey(key)), false);
      } catch (rejection) {
        if (rejection instanceof RateLimiterRes) return stateOf(name, rejection, true);
        throw rejection;
      }
    },
    async refund(name, key) {
      const limiter = limiterOf(name);
      const storedCount = await limiter.get(toStoredKey(key));
      // The window may have ended: points are never refunded into the next window.
      if (storedCount && storedCount.consumedPoints > 0 && storedCount.msBeforeNext > 0)
        await limiter.reward(toStoredKey(key));
    },
    async clear(name, key) {
      await limiterOf(name).delete(toStoredKey(key));
    },
  };
}

function createLimiter(name: LimitName, size: LimitSize, store: LimitStore | undefined): RateLimiterAbstract {
  const options = { points: size.points, duration: size.seconds, keyPrefix: name };
  const memory = new RateLimiterMemory(options);
  if (!store) return memory;
  return new RLWrapperTimeouts({
    limiter: store.counter(options),
    timeoutMs: STORE_TIMEOUT_MS,
    insuranceLimiter: memory,
  });
}

/**
 * Creates the error for an exceeded limit.
 * @param subject what there are too many of, for the message: `sign-ups from this address`
 */
export function createTooManyError(state: LimitState, subject: string): AppError {
  return new AppError('rate_limited', `too many ${subject}: try again in ${state.resetSeconds} s`, {
    retryAfter: Math.max(1, state.resetSeconds),
  });
}

/** The RateLimit-* headers of a caller's current limit. */
export function limitHeaders(state: LimitState): Record<string, string> {
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': String(state.resetSeconds),
  };
}

/** A counted guess at one secret, and whether the secret may be checked. */
export interface Guess {
  /** The exceeded limit that lasts longest; null if the secret may be checked. */
  readonly exceededLimit: LimitState | null;
  /** Takes the guess back. Must be called if the secret was right or was not checked. */
  readonly refund: () => Promise<void>;
}

type Counter = readonly [name: LimitName, key: string];

/**
 * Counts a guess before the secret is checked, so that concurrent guesses can't exceed the limits. A rejected guess is not
 * counted by any limit.
 */
export async function consumeGuess(limiters: Limiters, counters: readonly Counter[]): Promise<Guess> {
  const states = await Promise.all(counters.map(([name, key]) => limiters.consume(name, key)));
  const refund = async () => {
    await Promise.all(counters.map(([name, key]) => limiters.refund(name, key)));
  };
  const [exceededLimit = null] = states
    .filter(({ exceeded }) => exceeded)
    .sort((a, b) => b.resetSeconds - a.resetSeconds);
  if (!exceededLimit) return { exceededLimit, refund };
  await refund();
  return { exceededLimit, refund: () => Promise.resolve() };
}
