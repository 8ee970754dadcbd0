/** How a transcoder copes with its work. Times in milliseconds on a clock that never jumps. */
export interface LoadState {
  /** Renditions given up, from the top. */
  readonly givenUp: number;
  /** Since when it is watched for lagging; null while it keeps up. */
  readonly lateSince: number | null;
  /** How far it lagged at that time. */
  readonly lateBy: number;
  readonly dropped: number;
  /** When to try one rendition more; null when none was given up. */
  readonly retryAt: number | null;
  readonly retryWaitMs: number;
}

export interface LoadSample {
  readonly now: number;
  /** Distance of the slowest rendition from the source. */
  readonly lagMs: number;
  /** Frames thrown away so far in this run. */
  readonly dropped: number;
}

/** A lag below this is the start of the process and the length of its queues. */
const tolerableLagMs = 2_000;
const lateForMs = 10_000;
const firstRetryMs = 60_000;
const longestRetryMs = 960_000;

export const initialLoadState: LoadState = {
  givenUp: 0,
  lateSince: null,
  lateBy: 0,
  dropped: 0,
  retryAt: null,
  retryWaitMs: firstRetryMs,
};

/**
 * Looks at a transcoder about once a second. Slower than real time for 10 s on end, or frames thrown away: one rendition is
 * given up. It is tried again later, and later still each time it fails.
 */
export function afterSample(state: LoadState, { now, lagMs, dropped }: LoadSample): LoadState {
  if (dropped > state.dropped) return giveUp(state, now);
  if (lagMs <= tolerableLagMs) return { ...state, lateSince: null };
  const { lateSince, lateBy } = state;
  if (lateSince !== null && now - lateSince < lateForMs) return state;
  // Only the lag of a whole span counts: a single moment proves nothing.
  return lateSince !== null && lagMs >= lateBy
    ? giveUp(state, now)
    : { ...state, lateSince: now, lateBy: lagMs };
}

function giveUp(state: LoadState, now: number): LoadState {
  const { retryWaitMs } = state;
  return {
    ...beginRun(state),
    givenUp: state.givenUp + 1,
    retryAt: now + retryWaitMs,
    retryWaitMs: Math.min(2 * retryWaitMs, longestRetryMs),
  };
}

/** A new process starts with an empty past; what was given up stays so. */
export function beginRun(state: LoadState): LoadState {
  return { ...state, lateSince: null, lateBy: 0, dropped: 0 };
}

/** Takes one rendition back when it is time to. */
export function afterWait(state: LoadState, now: number): LoadState {
  if (state.retryAt === null || now < state.retryAt) return state;
  const givenUp = state.givenUp - 1;
  return { ...state, givenUp, retryAt: givenUp > 0 ? now + state.retryWaitMs : null };
}
