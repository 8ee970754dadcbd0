import {
  isTooSlow,
  addRateSample,
  defaultMinRate,
  type MinRate,
  type RateSamples,
} from '@/lib/core/media/transfer-rate';
import type { Clock } from '@/lib/infra/clock';

/** Measures the rate of one transfer with a remote server. */
export interface RateWatch {
  /** Aborted with TransferTooSlow when the remote side stays below the minimum rate. */
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
  /** Stops measuring. Idempotent. */
  readonly close: () => void;
}

/** The remote side sent or accepted less than the minimum rate. */
export class TransferTooSlow extends Error {
  override readonly name = 'TransferTooSlow';
  constructor({ bytesPerSecond, windowMs }: MinRate) {
    super(`less than ${bytesPerSecond / 1_000} kB a second over ${windowMs / 1_000} s`);
  }
}

/**
 * Starts to measure a transfer, and ends it if it is slower than lib/core/media/transfer-rate.ts allows.
 * @param minRate minimum rate; only tests change it
 */
export function startRateWatch(clock: Clock, minRate: MinRate = defaultMinRate): RateWatch {
  const slowAbort = new AbortController();
  let bytes = 0;
  let samples: RateSamples = addRateSample([], { atMs: clock.monotonic(), bytes }, minRate);
  const timer = setInterval(() => {
    samples = addRateSample(samples, { atMs: clock.monotonic(), bytes }, minRate);
    if (isTooSlow(samples, minRate)) {
      clearInterval(timer);
      slowAbort.abort(new TransferTooSlow(minRate));
    }
  }, minRate.windowMs / minRate.samplesPerWindow);
  timer.unref();
  return {
    signal: slowAbort.signal,
    onBytes: (count) => (bytes += count),
    close: () => clearInterval(timer),
  };
}
