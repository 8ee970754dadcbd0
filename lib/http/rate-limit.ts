import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '@/lib/core/errors';

export interface LimitSize {
  readonly points: number;
  readonly seconds: number;
}

/** Reliability §5. Tests lower them through `createLimiters`. */
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
  signInPerEmail: { points: 100, seconds: 86_400 },
} as const satisfies Record<string, LimitSize>;

export type LimitName = keyof typeof limitSizes;

/** Where a caller stands, for the RateLimit-* headers. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the count starts again. */
  readonly reset: number;
  readonly exceeded: boolean;
}

export interface Limiters {
  /** Counts one. */
  readonly take: (name: LimitName, key: string) => Promise<LimitState>;
  /** Looks without counting. */
  readonly peek: (name: LimitName, key: string) => Promise<LimitState>;
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
  const stateOf = (name: LimitName, result: RateLimiterRes | null): LimitState => {
    const { points, seconds } = sizes[name];
    return {
      limit: points,
      remaining: Math.max(0, result?.remainingPoints ?? points),
      reset: result ? Math.ceil(result.msBeforeNext / 1000) : seconds,
      exceeded: (result?.consumedPoints ?? 0) > points,
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
    async peek(name, key) {
      const state = stateOf(name, await limiterOf(name).get(key));
      return { ...state, exceeded: state.remaining === 0 };
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
