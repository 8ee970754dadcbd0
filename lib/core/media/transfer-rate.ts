/** Number of bytes sent until a point in time. */
export interface TransferSample {
  /** Milliseconds of a monotonic clock. */
  readonly atMs: number;
  readonly bytes: number;
}

/**
 * Duration of the samples of which the rate is the average: long enough to be steady, short enough to follow the
 * network.
 */
const WINDOW_MS = 8_000;
/** Minimum duration of the samples for a reliable rate. */
const MIN_MEASURED_MS = 1_000;

/**
 * Adds a sample and drops the samples outside the window. Fewer bytes than before mean that the transfer was restarted: then
 * all earlier samples are dropped.
 */
export function addTransferSample(
  samples: readonly TransferSample[],
  sample: TransferSample,
): TransferSample[] {
  const last = samples.at(-1);
  if (last && sample.bytes < last.bytes) return [sample];
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample];
}

/** Average rate in bytes per second; null until it is measured. */
export function transferRate(samples: readonly TransferSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.atMs - first.atMs < MIN_MEASURED_MS) return null;
  return ((last.bytes - first.bytes) / (last.atMs - first.atMs)) * 1_000;
}

/** Seconds until the remaining bytes are sent; null while unknown or infinite. */
export function remainingSeconds(remainingBytes: number, rate: number | null): number | null {
  return rate === null || rate <= 0 ? null : Math.ceil(remainingBytes / rate);
}

/** The minimum average rate of a remote server. */
export interface MinRate {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
  /** Number of intervals between samples in a window. */
  readonly samplesPerWindow: number;
}

/** 29 MB per hour, a tenth of the slowest common connection. A slower transfer would only occupy a slot. */
export const defaultMinRate: MinRate = { bytesPerSecond: 8_000, windowMs: 30_000, samplesPerWindow: 6 };

export type RateSamples = readonly TransferSample[];

/**
 * Adds a sample and keeps the samples of the last window. A very late sample means that this process was paused, not that
 * the remote server was slow, so the window starts with it again.
 */
export function addRateSample(samples: RateSamples, sample: TransferSample, minRate: MinRate): RateSamples {
  const last = samples.at(-1);
  const wasPaused =
    last !== undefined && sample.atMs - last.atMs > (2 * minRate.windowMs) / minRate.samplesPerWindow;
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
