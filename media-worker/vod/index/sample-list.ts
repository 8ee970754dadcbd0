import { MovieError } from './byte-source';

/** Maximum number of samples: more than 12 hours at 120 frames per second, with audio. */
export const MAX_SAMPLES = 10_000_000;
/**
 * Largest accepted time, ticks. Parts of live streams often have the time of day as their time, seconds since 1970, which
 * takes 48 bits at 90,000 ticks per second. Larger numbers would lose precision in sums.
 */
const MAX_TICKS = 2 ** 50;

/** A sample (ISO/IEC 14496-12): the bytes of one video frame, or of one audio frame. */
export interface Sample {
  /** Position in the file, bytes. */
  readonly offset: number;
  readonly size: number;
  /** Decode time in ticks of the track, like `shift` and `duration`. */
  readonly dts: number;
  readonly duration: number;
  /** Presentation minus decode time. */
  readonly shift: number;
  readonly key: boolean;
  /** Index of the sample entry. */
  readonly entry: number;
}

/** Limits for the samples of all tracks of one file. */
export interface SampleBudget {
  /** Number of samples that may still be added. */
  samples: number;
  /** Bytes. */
  readonly fileSize: number;
}

/** The samples of one track in decode order. Each field of `Sample` is a typed array, so that a sample takes 30 bytes. */
export class SampleList {
  count = 0;
  offset: Float64Array = new Float64Array(0);
  size: Uint32Array = new Uint32Array(0);
  dts: Float64Array = new Float64Array(0);
  duration: Uint32Array = new Uint32Array(0);
  shift: Int32Array = new Int32Array(0);
  key: Uint8Array = new Uint8Array(0);
  entry: Uint8Array = new Uint8Array(0);
  /** Total bytes of all samples. */
  bytes = 0;
  readonly #budget: SampleBudget;

  constructor(budget: SampleBudget) {
    this.#budget = budget;
  }

  get fileSize(): number {
    return this.#budget.fileSize;
  }

  /** Presentation time of a sample. */
  pts(index: number): number {
    return (this.dts[index] ?? 0) + (this.shift[index] ?? 0);
  }

  /** Decode time at which the last sample ends, ticks; 0 without samples. */
  get end(): number {
    const last = this.count - 1;
    return last < 0 ? 0 : (this.dts[last] ?? 0) + (this.duration[last] ?? 0);
  }

  /**
   * Allocates memory for more samples, whose number was checked against the bytes that describe them.
   * @throws MovieError if the file has too many
   */
  reserve(addedCount: number): void {
    this.#budget.samples -= addedCount;
    if (this.#budget.samples < 0) throw new MovieError(`it has more than ${MAX_SAMPLES} frames`);
    const neededCount = this.count + addedCount;
    if (neededCount <= this.size.length) return;
    const capacity = this.count === 0 ? neededCount : Math.max(neededCount, this.size.length * 2);
    this.offset = enlarge(this.offset, new Float64Array(capacity));
    this.size = enlarge(this.size, new Uint32Array(capacity));
    this.dts = enlarge(this.dts, new Float64Array(capacity));
    this.duration = enlarge(this.duration, new Uint32Array(capacity));
    this.shift = enlarge(this.shift, new Int32Array(capacity));
    this.key = enlarge(this.key, new Uint8Array(capacity));
    this.entry = enlarge(this.entry, new Uint8Array(capacity));
  }

  /** The samples from `first` up to, not including, `end`; a view of the same memory. */
  slice(first: number, end: number): SampleList {
    const list = new SampleList(this.#budget);
    list.count = end - first;
    list.offset = this.offset.subarray(first, end);
    list.size = this.size.subarray(first, end);
    list.dts = this.dts.subarray(first, end);
    list.duration = this.duration.subarray(first, end);
    list.shift = this.shift.subarray(first, end);
    list.key = this.key.subarray(first, end);
    list.entry = this.entry.subarray(first, end);
    for (let offset = 0; offset < list.count; offset++) list.bytes += list.size[offset] ?? 0;
    return list;
  }

  /**
   * Gives durations to samples without one. If no sample has one, all are equal: some muxers write only the duration of
   * the track. The last sample lasts as long as the one before.
   * @param ticks duration of the track
   */
  completeDurations(ticks: number): void {
    const last = this.count - 1;
    if (last < 1) return;
    if (this.end === 0 && ticks > last && ticks <= MAX_TICKS) this.#distributeDuration(ticks);
    if (this.duration[last] !== 0) return;
    const sincePrevious = Math.max(0, (this.dts[last] ?? 0) - (this.dts[last - 1] ?? 0));
    // Fragments may have a start time and no durations.
    this.duration[last] = this.duration[last - 1] || sincePrevious;
  }

  /** Gives all samples the same duration, except for rounding, and the times that follow from it. */
  #distributeDuration(ticks: number): void {
    const start = (sample: number) => Math.round((sample * ticks) / this.count);
    for (let sample = 0; sample < this.count; sample++) {
      this.dts[sample] = start(sample);
      this.duration[sample] = start(sample + 1) - start(sample);
    }
  }

  /** Adds `ticks` to the times of all samples. */
  moveBy(ticks: number): void {
    for (let sample = 0; sample < this.count; sample++) this.dts[sample] = (this.dts[sample] ?? 0) + ticks;
  }

  /**
   * Adds a sample, for which memory must be reserved. A sample without bytes is left out: the previous one lasts until its
   * end.
   * @throws MovieError if it lies outside of the file
   */
  push(sample: Sample): void {
    const { offset, size, dts } = sample;
    const { fileSize } = this.#budget;
    if (size === 0) {
      if (this.count > 0)
        this.duration[this.count - 1] = dts + sample.duration - (this.dts[this.count - 1] ?? 0);
      return;
    }
    if (offset < 0 || offset + size > fileSize) throw new MovieError('a frame lies outside of the file');
    this.bytes += size;
    if (this.bytes > fileSize) throw new MovieError('its frames are larger than the file');
    if (Math.abs(dts) > MAX_TICKS) throw new MovieError('a frame has an implausible time');
    const index = this.count++;
    this.offset[index] = offset;
    this.size[index] = size;
    this.dts[index] = dts;
    this.duration[index] = sample.duration;
    this.shift[index] = sample.shift;
    this.key[index] = sample.key ? 1 : 0;
    this.entry[index] = Math.min(sample.entry, 255);
  }
}

function enlarge<T extends Float64Array | Uint32Array | Int32Array | Uint8Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
