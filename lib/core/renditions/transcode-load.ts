import { MINUTE_MS } from '@/lib/core/units';
import { backoffDelay } from '@/lib/core/backoff';

/** Load state of a transcoder. Times in milliseconds of a monotonic clock. */
export interface LoadState {
  /** Number of dropped renditions; the costliest ones are dropped first. */
  readonly droppedRenditionCount: number;
  /** Start of the current lag; null while the transcoder keeps up. */
  readonly lagSince: number | null;
  /** Lag of the slowest rendition when the current lag started, in milliseconds. */
  readonly lagMsAtStart: number;
  /** Number of frames that the process has dropped so far. */
  readonly droppedFrames: number;
  /** When the next dropped rendition is added again; null if no rendition is dropped. */
  readonly retryAt: number | null;
  /** How many times a rendition was dropped. */
  readonly failures: number;
}

export interface LoadSample {
  readonly now: number;
  /** Lag of the slowest rendition behind the source, in milliseconds. */
  readonly lagMs: number;
  /** Number of frames that this process has dropped so far. */
  readonly droppedFrames: number;
}

/** Maximum lag that is normal, because the process needs time to start and has queues. */
const TOLERABLE_LAG_MS = 2_000;
/** Duration of a lag without catching up after which a rendition is dropped. */
const MAX_LAG_DURATION_MS = 10_000;
const retryBackoffMs = { firstDelay: MINUTE_MS, maxDelay: 16 * MINUTE_MS };

export const initialLoadState: LoadState = {
  droppedRenditionCount: 0,
  lagSince: null,
  lagMsAtStart: 0,
  droppedFrames: 0,
  retryAt: null,
  failures: 0,
};

/**
 * Applies a load sample, about once a second. If the transcoder drops frames, or lags for 10 s without catching up, one
 * rendition is dropped, and is retried with exponential backoff.
 */
export function applyLoadSample(state: LoadState, { now, lagMs, droppedFrames }: LoadSample): LoadState {
  if (droppedFrames > state.droppedFrames) return dropRendition(state, now);
  if (lagMs <= TOLERABLE_LAG_MS) return { ...state, lagSince: null };
  const { lagSince, lagMsAtStart } = state;
  if (lagSince !== null && now - lagSince < MAX_LAG_DURATION_MS) return state;
  // A lag that became smaller in this time starts the time again.
  return lagSince !== null && lagMs >= lagMsAtStart
    ? dropRendition(state, now)
    : { ...state, lagSince: now, lagMsAtStart: lagMs };
}

function dropRendition(state: LoadState, now: number): LoadState {
  const failures = state.failures + 1;
  return {
    ...resetLoad(state),
    droppedRenditionCount: state.droppedRenditionCount + 1,
    retryAt: now + backoffDelay(failures, retryBackoffMs),
    failures,
  };
}

/** Resets the measurements for a new process; dropped renditions remain dropped. */
export function resetLoad(state: LoadState): LoadState {
  return { ...state, lagSince: null, lagMsAtStart: 0, droppedFrames: 0 };
}

/** Adds one dropped rendition again if its retry is due. */
export function retryRendition(state: LoadState, now: number): LoadState {
  if (state.retryAt === null || now < state.retryAt) return state;
  const droppedRenditionCount = state.droppedRenditionCount - 1;
  const waitMs = backoffDelay(state.failures + 1, retryBackoffMs);
  return { ...state, droppedRenditionCount, retryAt: droppedRenditionCount > 0 ? now + waitMs : null };
}
