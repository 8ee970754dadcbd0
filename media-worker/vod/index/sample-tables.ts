import type { BoxView } from './box-view';
import { MovieError } from './byte-source';
import type { SampleList } from './sample-list';

/** Bytes of an entry of `stts` or `ctts`: a count and a value. */
const RUN_BYTES = 8;
/** Bytes of an entry of `stsc`: the first chunk from 1, samples in each chunk, and the number of the sample entry from 1. */
const CHUNK_RUN_BYTES = 12;

/** Adds the samples described by a sample table (ISO/IEC 14496-12 §8.6, §8.7). */
export function readSampleTable(stbl: BoxView, samples: SampleList): void {
  const sizes = readSizes(stbl, samples);
  const chunks = readChunks(stbl);
  const times = new Runs(stbl.findChild('stts'));
  const shifts = new Runs(stbl.findChild('ctts'));
  const isKey = readKeys(stbl.findChild('stss'));
  samples.reserve(sizes.count);
  let dts = 0;
  let sample = 0;
  for (let chunk = 0; chunk < chunks.count && sample < sizes.count; chunk++) {
    const chunkRun = chunks.runOf(chunk);
    let offset = chunks.offsetOf(chunk);
    for (let samplesLeft = Math.min(chunkRun.samples, sizes.count - sample); samplesLeft > 0; samplesLeft--) {
      const size = sizes.sizeOf(sample);
      const duration = nonNegativeDuration(times.next());
      samples.push({
        offset,
        size,
        dts,
        duration,
        shift: shifts.next() | 0,
        key: isKey(sample),
        entry: chunkRun.entry,
      });
      offset += size;
      dts += duration;
      sample += 1;
    }
  }
}

/**
 * A duration of `stts`, or 0 if it is negative: muxers write small negative durations for frames that are out of
 * order.
 */
const nonNegativeDuration = (duration: number): number => (duration > 0x7fffffff ? 0 : duration);

interface Sizes {
  readonly count: number;
  readonly sizeOf: (sample: number) => number;
}

function readSizes(stbl: BoxView, { fileSize }: Pick<SampleList, 'fileSize'>): Sizes {
  const compact = stbl.findChild('stz2');
  if (compact) return readCompactSizes(compact);
  const stsz = stbl.findChild('stsz');
  if (!stsz) return { count: 0, sizeOf: () => 0 };
  const commonSize = stsz.u32(4);
  if (commonSize === 0) return { count: stsz.count(8, 4), sizeOf: (sample) => stsz.u32(12 + sample * 4) };
  const count = stsz.u32(8);
  if (count * commonSize > fileSize) throw new MovieError('its frames are larger than the file');
  return { count, sizeOf: () => commonSize };
}

function readCompactSizes(stz2: BoxView): Sizes {
  const bits = stz2.u8(7);
  if (bits !== 4 && bits !== 8 && bits !== 16) throw new MovieError('its box stz2 has an unknown field size');
  const count = stz2.count(8, bits / 8);
  if (bits === 16) return { count, sizeOf: (sample) => stz2.u16(12 + sample * 2) };
  if (bits === 8) return { count, sizeOf: (sample) => stz2.u8(12 + sample) };
  return { count, sizeOf: (sample) => (stz2.u8(12 + (sample >> 1)) >> (sample % 2 === 0 ? 4 : 0)) & 15 };
}

interface Chunks {
  readonly count: number;
  readonly offsetOf: (chunk: number) => number;
  /** The run of a chunk. Calls must have increasing numbers. */
  readonly runOf: (chunk: number) => { readonly samples: number; readonly entry: number };
}

function readChunks(stbl: BoxView): Chunks {
  const stsc = stbl.findChild('stsc');
  const offsets = stbl.findChild('stco') ?? stbl.findChild('co64');
  const runs = stsc?.count(4, CHUNK_RUN_BYTES) ?? 0;
  if (!stsc || !offsets || runs === 0)
    return { count: 0, offsetOf: () => 0, runOf: () => ({ samples: 0, entry: 0 }) };
  const is64Bit = offsets.type === 'co64';
  const field = (run: number, column: number) => stsc.u32(8 + run * CHUNK_RUN_BYTES + column * 4);
  let runIndex = 0;
  return {
    count: offsets.count(4, is64Bit ? 8 : 4),
    offsetOf: (chunk) => (is64Bit ? offsets.u64(8 + chunk * 8) : offsets.u32(8 + chunk * 4)),
    runOf(chunk) {
      while (runIndex + 1 < runs && field(runIndex + 1, 0) <= chunk + 1) runIndex += 1;
      return { samples: field(runIndex, 1), entry: Math.max(1, field(runIndex, 2)) - 1 };
    },
  };
}

/** Reads runs of equal values. The last run continues, and a missing box means zeros. */
class Runs {
  readonly #box: BoxView | undefined;
  readonly #count: number;
  #current = -1;
  #countLeft = 0;
  #value = 0;

  constructor(box: BoxView | undefined) {
    this.#box = box;
    this.#count = box?.count(4, RUN_BYTES) ?? 0;
  }

  next(): number {
    while (this.#countLeft === 0 && this.#box && this.#current + 1 < this.#count) {
      this.#current += 1;
      this.#countLeft = this.#box.u32(8 + this.#current * RUN_BYTES);
      this.#value = this.#box.u32(12 + this.#current * RUN_BYTES);
    }
    if (this.#countLeft > 0) this.#countLeft -= 1;
    return this.#value;
  }
}

/** Whether a sample is a keyframe; without the box every sample is one. Calls must have increasing numbers. */
function readKeys(stss: BoxView | undefined): (sample: number) => boolean {
  if (!stss) return () => true;
  const count = stss.count(4, 4);
  let entry = 0;
  // The box has ascending sample numbers, which count from 1.
  return (sample) => {
    while (entry < count && stss.u32(8 + entry * 4) < sample + 1) entry += 1;
    return entry < count && stss.u32(8 + entry * 4) === sample + 1;
  };
}
