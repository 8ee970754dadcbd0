/** Bytes sent by a point in time (milliseconds of a monotonic clock). */
export interface TransferSample {
  readonly at: number;
  readonly bytes: number;
}

/** Averaging window: long enough to be steady, short enough to follow the network. */
const windowMs = 8_000;
/** A shorter measurement gives no reliable rate. */
const minMs = 1_000;

/** Adds a sample and drops those outside the window. A step back (a restart) drops all earlier ones. */
export function addSample(samples: readonly TransferSample[], sample: TransferSample): TransferSample[] {
  const last = samples.at(-1);
  if (last && sample.bytes < last.bytes) return [sample];
  return [...samples.filter(({ at }) => sample.at - at <= windowMs), sample];
}

/** Bytes per second; null until measured. */
export function transferRate(samples: readonly TransferSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < minMs) return null;
  return ((last.bytes - first.bytes) / (last.at - first.at)) * 1_000;
}

/** Seconds until the remaining bytes are sent; null while unknown or infinite. */
export function secondsLeft(remainingBytes: number, rate: number | null): number | null {
  return rate === null || rate <= 0 ? null : Math.ceil(remainingBytes / rate);
}

/** The minimum average rate of a remote server. */
export interface MinRate {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
  /** Samples per window. */
  readonly samplesPerWindow: number;
}

/** An hour at this rate is 29 MB, a tenth of the slowest common connection. A slower transfer only occupies a slot. */
export const defaultMinRate: MinRate = { bytesPerSecond: 8_000, windowMs: 30_000, samplesPerWindow: 6 };

export type RateSamples = readonly TransferSample[];

/**
 * Adds a sample to those of the last window. A very late sample means that this process was paused, not that the remote
 * server was slow: the window restarts.
 */
export function addRateSample(samples: RateSamples, sample: TransferSample, minRate: MinRate): RateSamples {
  const last = samples.at(-1);
  const wasPaused =
    last !== undefined && sample.at - last.at > (2 * minRate.windowMs) / minRate.samplesPerWindow;
  return wasPaused ? [sample] : [...samples, sample].slice(-(minRate.samplesPerWindow + 1));
}

/** Whether a whole window stayed below the minimum rate. */
export function isTooSlow(
  samples: RateSamples,
  { bytesPerSecond, windowMs, samplesPerWindow }: MinRate,
): boolean {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || samples.length <= samplesPerWindow) return false;
  return last.bytes - first.bytes < (bytesPerSecond * windowMs) / 1_000;
}
