import { type Backoff, backoffDelay } from '../../backoff';
import { hourMs } from '../../units';

/**
 * States of a pull. `stopped`: not started, or ended. `waiting`: for its next attempt, or for a node that takes it.
 * `connecting`: connecting to the source, no media yet. `pulling`: media arrives.
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

const retries: Backoff = { first: 1_000, max: 60_000 };
/** An attempt that received media for this long resets the backoff. */
export const healthyMs = 30_000;

/** A pull ends after this long without media; it can be started again. */
export const maxIdleMs = 24 * hourMs;

/** Delay before the next attempt. @param failures consecutive, 1 or more @param random from 0 to 1 */
export const pullDelayMs = (failures: number, random: number): number =>
  Math.round(backoffDelay(failures, retries) * (0.8 + 0.4 * random));

/** Whether a pull must end: no media for too long since it started, or since its last media. */
export const isPullExpired = (
  { startedAt, mediaAt }: { readonly startedAt: number; readonly mediaAt: number | undefined },
  now: number,
): boolean => now - Math.max(startedAt, mediaAt ?? 0) >= maxIdleMs;
