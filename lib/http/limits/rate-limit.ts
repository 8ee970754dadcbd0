import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '@/lib/core/errors';

interface LimitSize {
  readonly points: number;
  readonly seconds: number;
}

/** Rate limits. Tests lower them through `createLimiters`. */
export const limitSizes = {
  /** Requests of one API key, or of one person's browser sessions; API_RATE_LIMIT sets it. */
  api: { points: 600, seconds: 60 },
  signUpPerIp: { points: 10, seconds: 3_600 },
  reveal: { points: 10, seconds: 3_600 },
  /** What asks for the password of the account before it changes or ends it. */
  password: { points: 10, seconds: 3_600 },
  /** For each webhook: resends, replays and test events. */
  resend: { points: 10, seconds: 60 },
  /** Failed sign-ins. */
  signInPerEmailAndIp: { points: 5, seconds: 900 },
  signInPerIp: { points: 20, seconds: 3_600 },
  /** From all addresses together, 96 a day: it slows down, but never for a whole day. Known devices are exempt. */
  signInPerEmail: { points: 12, seconds: 10_800 },
  /** In place of these three, for a browser that signed in to the account before. */
  signInPerDevice: { points: 5, seconds: 900 },
} as const satisfies Record<string, LimitSize>;

type LimitName = keyof typeof limitSizes;

/** A caller's current use, for the RateLimit-* headers. */
interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the count starts again. */
  readonly reset: number;
  readonly exceeded: boolean;
}

export interface Limiters {
  /** Counts one. */
  readonly take: (name: LimitName, key: string) => Promise<LimitState>;
  /** Takes back one that `take` counted in this window. */
  readonly giveBack: (name: LimitName, key: string) => Promise<void>;
}

/** Counters in the memory of this process. */
export function createLimiters(sizes: Readonly<Record<LimitName, LimitSize>> = limitSizes): Limiters {
  const made = new Map<LimitName, RateLimiterMemory>();
  const limiterOf = (name: LimitName) => {
    const { points, seconds: duration } = sizes[name];
    const limiter = made.get(name) ?? new RateLimiterMemory({ points, duration, keyPrefix: name });
    made.set(name, limiter);
    return limiter;
  };
  const stateOf = (name: LimitName, result: RateLimiterRes): LimitState => {
    const { points } = sizes[name];
    return {
      limit: points,
      remaining: Math.max(0, result.remainingPoints),
      reset: Math.ceil(result.msBeforeNext / 1000),
      exceeded: result.consumedPoints > points,
    };
  };
  return {
    async take(name, key) {
      try {
        return stateOf(name, await limiterOf(name).consume(key));
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return stateOf(name, refusal);
        throw refusal;
      }
    },
    async giveBack(name, key) {
      const limiter = limiterOf(name);
      const now = await limiter.get(key);
      // The window may have ended meanwhile: nothing is given on credit.
      if (now && now.consumedPoints > 0 && now.msBeforeNext > 0) await limiter.reward(key);
    },
  };
}

/** The refusal for a limit that is used up. */
export function tooMany(state: LimitState, what: string): AppError {
  return new AppError('rate_limited', `too many ${what}: try again in ${state.reset} s`, {
    retryAfter: Math.max(1, state.reset),
  });
}

/** The headers that tell a caller where they stand. */
export function limitHeaders(state: LimitState): Record<string, string> {
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': String(state.reset),
  };
}

/** Permission to check one secret that a user typed. */
export interface Guess {
  /** The limit that is used up, the one that lasts longest; null when the secret may be looked at. */
  readonly refused: LimitState | null;
  /** For a secret that was right, and for one that was never looked at. */
  readonly giveBack: () => Promise<void>;
}

type Counter = readonly [name: LimitName, key: string];

/**
 * Counts a guess before it is looked at: of many guesses at the same moment no more are looked at than the limits allow.
 * A refused guess counts nowhere, so that hammering does not make a success worth less than it gives back.
 */
export async function takeGuess(limiters: Limiters, counters: readonly Counter[]): Promise<Guess> {
  const states = await Promise.all(counters.map(([name, key]) => limiters.take(name, key)));
  const giveBack = async () => {
    await Promise.all(counters.map(([name, key]) => limiters.giveBack(name, key)));
  };
  const [refused = null] = states.filter(({ exceeded }) => exceeded).sort((a, b) => b.reset - a.reset);
  if (!refused) return { refused, giveBack };
  await giveBack();
  return { refused, giveBack: () => Promise.resolve() };
}
