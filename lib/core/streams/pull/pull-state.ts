import { type BackoffOptions, backoffDelay } from '../../backoff';
import { HOUR_MS } from '../../units';

/**
 * States of a pull. `stopped`: the pull has not started, or has ended. `waiting`: the pull waits for its next attempt or for
 * a free node. `connecting`: a node connects to the source, and no media has arrived. `pulling`: media arrives.
 */
export const pullStates = ['stopped', 'waiting', 'connecting', 'pulling'] as const;
export type PullState = (typeof pullStates)[number];

/** Report of a node about a pull: `Stream.pullReport` in the database. */
export interface PullReport {
  readonly state: Exclude<PullState, 'stopped'>;
  /** Unix milliseconds. */
  readonly since: number;
  /** When media last arrived, Unix milliseconds. */
  readonly mediaAt?: number;
  /** Why the last attempt ended; absent once media arrives. */
  readonly error?: string;
}

/** Delays in milliseconds between attempts to pull. */
const retryBackoff: BackoffOptions = { firstDelay: 1_000, maxDelay: 60_000 };
/** Duration of received media after which an attempt resets the backoff. */
export const PULL_HEALTHY_AFTER_MS = 30_000;

/** Time without media after which a pull ends. It can be started again. */
export const MAX_PULL_IDLE_MS = 24 * HOUR_MS;

/**
 * The delay before the next attempt, with a jitter of a fifth.
 * @param failures number of consecutive failures, at least 1
 * @param random random number from 0 to 1
 */
export const pullRetryDelayMs = (failures: number, random: number): number =>
  Math.round(backoffDelay(failures, retryBackoff) * (0.8 + 0.4 * random));

/** Whether a pull must end, because no media has arrived for too long since its start or since its last media. */
export const isPullExpired = (
  { startedAt, mediaAt }: { readonly startedAt: number; readonly mediaAt: number | undefined },
  now: number,
): boolean => now - Math.max(startedAt, mediaAt ?? 0) >= MAX_PULL_IDLE_MS;
