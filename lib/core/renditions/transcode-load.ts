import { minuteMs } from '@/lib/core/units';
import { backoffDelay } from '@/lib/core/backoff';

/** Load state of a transcoder. Times in milliseconds of a monotonic clock. */
export interface LoadState {
  /** Number of dropped renditions, the costliest first. */
  readonly givenUp: number;
  /** Start of the current lag; null while the transcoder keeps up. */
  readonly lateSince: number | null;
  /** The lag at that time. */
  readonly lateBy: number;
  readonly dropped: number;
  /** When to add a rendition again; null if none was dropped. */
  readonly retryAt: number | null;
  /** How often the transcoder did not keep up. */
  readonly failures: number;
}

export interface LoadSample {
  readonly now: number;
  /** Lag of the slowest rendition behind the source. */
  readonly lagMs: number;
  /** Frames dropped so far in this run. */
  readonly dropped: number;
}

/** A smaller lag comes from starting the process and from its queues. */
const tolerableLagMs = 2_000;
const lateForMs = 10_000;
const retryBackoffMs = { first: minuteMs, max: 16 * minuteMs };

export const initialLoadState: LoadState = {
  givenUp: 0,
  lateSince: null,
  lateBy: 0,
  dropped: 0,
  retryAt: null,
  failures: 0,
};

/**
 * Called about once a second. If the transcoder is slower than real time for 10 s or drops frames, one rendition is
 * dropped, and retried with exponential backoff.
 */
export function afterSample(state: LoadState, { now, lagMs, dropped }: LoadSample): LoadState {
  if (dropped > state.dropped) return giveUp(state, now);
  if (lagMs <= tolerableLagMs) return { ...state, lateSince: null };
  const { lateSince, lateBy } = state;
  if (lateSince !== null && now - lateSince < lateForMs) return state;
  // A single late sample does not count, only lag over the whole period.
  return lateSince !== null && lagMs >= lateBy
    ? giveUp(state, now)
    : { ...state, lateSince: now, lateBy: lagMs };
}

function giveUp(state: LoadState, now: number): LoadState {
  const failures = state.failures + 1;
  return {
    ...startRun(state),
    givenUp: state.givenUp + 1,
    retryAt: now + backoffDelay(failures, retryBackoffMs),
    failures,
  };
}

/** A new process starts without history; dropped renditions stay dropped. */
export function startRun(state: LoadState): LoadState {
  return { ...state, lateSince: null, lateBy: 0, dropped: 0 };
}

/** Adds one rendition back when its retry is due. */
export function afterWait(state: LoadState, now: number): LoadState {
  if (state.retryAt === null || now < state.retryAt) return state;
  const givenUp = state.givenUp - 1;
  const waitMs = backoffDelay(state.failures + 1, retryBackoffMs);
  return { ...state, givenUp, retryAt: givenUp > 0 ? now + waitMs : null };
}
