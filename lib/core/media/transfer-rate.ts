/** How many bytes had been sent at a moment (milliseconds, of any clock that only goes forward). */
export interface TransferSample {
  readonly at: number;
  readonly bytes: number;
}

/** So far back the speed looks: long enough to be calm, short enough to follow the network. */
const windowMs = 8_000;
/** Below this a speed is a guess. */
const leastMs = 1_000;

/** The samples that still count, with a new one. A step back (a restart) drops all before it. */
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

/** Seconds until `left` bytes are sent; null while unknown or infinite. */
export function secondsLeft(left: number, rate: number | null): number | null {
  return rate === null || rate <= 0 ? null : Math.ceil(left / rate);
}

/** What a server that gives or takes a file has to move on average. */
export interface RateFloor {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
  /** How often in a window the bytes are noted. */
  readonly notes: number;
}

/** An hour of this is 29 MB: a video at a tenth of the slowest usual connection. What is slower only holds a place. */
export const rateFloor: RateFloor = { bytesPerSecond: 8_000, windowMs: 30_000, notes: 6 };

export type RateNotes = readonly TransferSample[];

/**
 * The notes of the last window, with a new one. A note that comes far too late says that this process stood still, not
 * that the other side was slow: the window starts again.
 */
export function noteProgress(notes: RateNotes, note: TransferSample, floor: RateFloor): RateNotes {
  const last = notes.at(-1);
  const stoodStill = last !== undefined && note.at - last.at > (2 * floor.windowMs) / floor.notes;
  return stoodStill ? [note] : [...notes, note].slice(-(floor.notes + 1));
}

/** Whether less than the floor was moved in a whole window. */
export function isTooSlow(notes: RateNotes, { bytesPerSecond, windowMs, notes: most }: RateFloor): boolean {
  const [first, last] = [notes[0], notes.at(-1)];
  if (!first || !last || notes.length <= most) return false;
  return last.bytes - first.bytes < (bytesPerSecond * windowMs) / 1_000;
}
