import { type Backoff, backoffDelay } from '../../backoff';
import { hourMs } from '../../units';

/**
 * What a pull does now. `stopped`: it was not asked for, or was ended. `waiting`: for its next attempt, or for a node
 * that takes it. `connecting`: the source was called and no media has come yet. `pulling`: media arrives.
 */
export const pullStates = ['stopped', 'waiting', 'connecting', 'pulling'] as const;
export type PullState = (typeof pullStates)[number];

/** What a node says of a pull: `Stream.pullReport` in the database. */
export interface PullReport {
  readonly state: Exclude<PullState, 'stopped'>;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** When media last arrived, milliseconds since the epoch. */
  readonly mediaAt?: number;
  /** Why the last attempt ended; absent once media arrives. */
  readonly error?: string;
}

const retries: Backoff = { first: 1_000, max: 60_000 };
/** An attempt that brought media for this long starts the backoff again. */
export const healthyMs = 30_000;

/** A source without any media for this long is given up; the pull can be started again. */
export const giveUpMs = 24 * hourMs;

/** The wait before the next attempt. @param failures in a row, 1 or more @param random from 0 to 1 */
export const pullDelayMs = (failures: number, random: number): number =>
  Math.round(backoffDelay(failures, retries) * (0.8 + 0.4 * random));

/** Whether a pull has to end: nothing came since it was started, or since its last media. */
export const isHopeless = (
  { startedAt, mediaAt }: { readonly startedAt: number; readonly mediaAt: number | undefined },
  now: number,
): boolean => now - Math.max(startedAt, mediaAt ?? 0) >= giveUpMs;
