import type { AudioSample, TrackSamples, VideoSample } from './media-part';
import { AUDIO_TRACK, VIDEO_TRACK } from './init-segment';
import { boxAt, boxesIn, type FoundBox } from './read-boxes';
import { readInit } from './read-init';

/** A sample of a segment, with its decode time in the track's ticks. */
interface TimedSample {
  readonly data: Buffer;
  readonly dts: number;
  readonly duration: number;
  readonly compositionOffset: number;
  readonly key: boolean;
}

export interface SegmentTrack<Sample> extends TrackSamples<Sample> {
  /** Decode time after the last sample, in ticks. */
  readonly end: number;
}

/** The media of one segment. */
export interface SegmentMedia {
  readonly video: SegmentTrack<VideoSample> | undefined;
  readonly audio: SegmentTrack<AudioSample> | undefined;
}

/** What applies to samples that say nothing themselves (ISO/IEC 14496-12 §8.8.3, §8.8.7). */
interface SampleDefaults {
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

const nonSync = 0x10000;
const has = (flags: number, bit: number): boolean => (flags & bit) !== 0;

/**
 * Reads a segment of ffmpeg or of our packager: any number of `moof` boxes whose offsets count from their own start.
 * The samples' data are views of `segment`.
 * @param init the init segment of its rendition, or the file itself if it begins with one
 * @throws Error for any other segment, or a truncated one
 */
export function readSegment(segment: Buffer, init: Buffer): SegmentMedia {
  const defaults = trackDefaults(init);
  const samples = new Map<number, TimedSample[]>();
  for (const box of boxesIn(segment)) {
    if (box.type !== 'moof') continue;
    for (const traf of boxesIn(segment, box.start, box.end)) {
      if (traf.type === 'traf') readTraf(segment, { traf, moofAt: box.start - 8, defaults, samples });
    }
  }
  return {
    video: trackOf(samples.get(VIDEO_TRACK) ?? []),
    audio: trackOf(samples.get(AUDIO_TRACK) ?? []),
  };
}

/** The same samples as one run: each lasts until the next one begins. */
function trackOf(samples: readonly TimedSample[]): SegmentTrack<TimedSample> | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return undefined;
  const lasting = samples.map((sample, index) => ({
    ...sample,
    duration: (samples[index + 1]?.dts ?? sample.dts + sample.duration) - sample.dts,
  }));
  return { start: first.dts, end: last.dts + last.duration, samples: lasting };
}

function trackDefaults(init: Buffer): Map<number, SampleDefaults> {
  for (const { track, handler } of readInit(init)) {
    if (track !== (handler === 'vide' ? VIDEO_TRACK : AUDIO_TRACK))
      throw new Error('Track 1 has to be the video, and track 2 the audio');
  }
  const mvex = boxAt(init, ['moov', 'mvex']);
  const trexes = [...boxesIn(init, mvex.start, mvex.end)].filter(({ type }) => type === 'trex');
  return new Map(
    trexes.map(({ start }) => [
      init.readUInt32BE(start + 4),
      {
        duration: init.readUInt32BE(start + 12),
        size: init.readUInt32BE(start + 16),
        flags: init.readUInt32BE(start + 20),
      },
    ]),
  );
}

interface TrafPlace {
  readonly traf: FoundBox;
  /** Where the `moof` around it starts. */
  readonly moofAt: number;
  readonly defaults: ReadonlyMap<number, SampleDefaults>;
  readonly samples: Map<number, TimedSample[]>;
}

function readTraf(data: Buffer, { traf, moofAt, defaults, samples }: TrafPlace): void {
  const tfhd = boxAt(data, ['tfhd'], traf);
  const track = data.readUInt32BE(tfhd.start + 4);
  const fallback = defaults.get(track);
  const flags = data.readUIntBE(tfhd.start + 1, 3);
  if (!fallback || has(flags, 1) || !has(flags, 0x020000))
    throw new Error('Offsets must count from the moof');
  let at = tfhd.start + 8 + (has(flags, 2) ? 4 : 0);
  const optional = (bit: number, otherwise: number) => {
    if (!has(flags, bit)) return otherwise;
    at += 4;
    return data.readUInt32BE(at - 4);
  };
  const own = {
    duration: optional(8, fallback.duration),
    size: optional(0x10, fallback.size),
    flags: optional(0x20, fallback.flags),
  };
  const tfdt = boxAt(data, ['tfdt'], traf);
  const long = data.readUInt8(tfdt.start) === 1;
  let dts = data.readUInt32BE(tfdt.start + 4);
  if (long) dts = dts * 2 ** 32 + data.readUInt32BE(tfdt.start + 8);
  const list = samples.get(track) ?? [];
  samples.set(track, list);
  for (const trun of boxesIn(data, traf.start, traf.end)) {
    if (trun.type === 'trun') dts = readTrun(data, { trun, moofAt, own, dts, list });
  }
}

interface TrunPlace {
  readonly trun: FoundBox;
  readonly moofAt: number;
  readonly own: SampleDefaults;
  /** Of its first sample. */
  readonly dts: number;
  readonly list: TimedSample[];
}

/** @returns the decode time after its last sample */
function readTrun(data: Buffer, { trun, moofAt, own, dts: start, list }: TrunPlace): number {
  const signed = data.readUInt8(trun.start) > 0;
  const flags = data.readUIntBE(trun.start + 1, 3);
  if (!has(flags, 1)) throw new Error('A trun needs its data offset');
  const count = data.readUInt32BE(trun.start + 4);
  let from = moofAt + data.readInt32BE(trun.start + 8);
  let at = trun.start + 12;
  const next = (bit: number, otherwise: number) => {
    if (!has(flags, bit)) return otherwise;
    at += 4;
    return data.readUInt32BE(at - 4);
  };
  const firstFlags = next(4, own.flags);
  let dts = start;
  for (let i = 0; i < count; i++) {
    if (at > trun.end) throw new Error('A trun is truncated');
    const duration = next(0x100, own.duration);
    const size = next(0x200, own.size);
    const sampleFlags = next(0x400, i === 0 ? firstFlags : own.flags);
    const offset = next(0x800, 0);
    if (from < 0 || from + size > data.length) throw new Error('A sample lies outside of its segment');
    const compositionOffset = signed ? offset | 0 : offset;
    const sample = { data: data.subarray(from, from + size), dts, duration, compositionOffset };
    list.push({ ...sample, key: !has(sampleFlags, nonSync) });
    from += size;
    dts += duration;
  }
  return dts;
}
