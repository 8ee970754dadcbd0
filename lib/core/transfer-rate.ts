/** How many bytes had been sent at a moment (milliseconds, of any clock that only goes forward). */
export interface TransferSample {
  readonly at: number;
  readonly bytes: number;
}

/** So far back the speed looks: long enough to be calm, short enough to follow the network. */
const windowMs = 8_000;
/** Below this a speed is a guess. */
const leastMs = 1_000;

/** The samples that still count, with a new one. A step back (begun anew) forgets all before it. */
export function addSample(samples: readonly TransferSample[], sample: TransferSample): TransferSample[] {
  const last = samples.at(-1);
  if (last && sample.bytes < last.bytes) return [sample];
  return [...samples.filter(({ at }) => sample.at - at <= windowMs), sample];
}

/** Bytes a second; null while it is not known. */
export function transferRate(samples: readonly TransferSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < leastMs) return null;
  return ((last.bytes - first.bytes) / (last.at - first.at)) * 1_000;
}

/** Seconds until `left` bytes are sent; null while it is not known, or would be for ever. */
export function secondsLeft(left: number, rate: number | null): number | null {
  return rate === null || rate <= 0 ? null : Math.ceil(left / rate);
}
