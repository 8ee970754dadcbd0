import type { AudioSample, Payload, TrackSamples, VideoSample } from './media-part';
import { AUDIO_TRACK, VIDEO_TRACK } from './init-segment';
import { findBox, readBoxes, type FoundBox } from './read-boxes';
import { readInit } from './read-init';

/** A sample of a segment, with its decode time in the track's ticks. */
interface TimedSample<Data> {
  readonly data: Data;
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
export interface SegmentMedia<Data extends Payload = Buffer> {
  readonly video: SegmentTrack<VideoSample<Data>> | undefined;
  readonly audio: SegmentTrack<AudioSample<Data>> | undefined;
}

/** Position of bytes in a stored file. */
export interface FilePart extends Payload {
  readonly at: number;
}

/** A `moof` box of a stored segment. */
export interface FoundMoof {
  readonly at: number;
  readonly box: Buffer;
}

/** Defaults for samples without their own values (ISO/IEC 14496-12 §8.8.3, §8.8.7). */
interface SampleDefaults {
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

const NON_SYNC = 0x10000;
const hasFlag = (flags: number, flag: number): boolean => (flags & flag) !== 0;

/**
 * Reads a segment written by ffmpeg or by the packager: any number of `moof` boxes with offsets from their own
 * start. The data of the samples are views of `segment`.
 * @param init the init segment of its rendition, or the file itself if it begins with one
 * @throws Error for any other segment, or a truncated one
 */
export function readSegment(segment: Buffer, init: Buffer): SegmentMedia {
  const moofs = [...readBoxes(segment)]
    .filter(({ type }) => type === 'moof')
    .map(({ start, end }) => ({ at: start - 8, box: segment.subarray(start - 8, end) }));
  const data = ({ at, length }: FilePart) => segment.subarray(at, at + length);
  return readMoofs(moofs, { length: segment.length, init, data });
}

/**
 * Locates the samples of a segment that is not in memory.
 * @param length length of the segment
 */
export function locateSamples(
  moofs: readonly FoundMoof[],
  length: number,
  init: Buffer,
): SegmentMedia<FilePart> {
  return readMoofs(moofs, { length, init, data: (part) => part });
}

interface SegmentSource<Data> {
  readonly length: number;
  readonly init: Buffer;
  readonly data: (part: FilePart) => Data;
}

function readMoofs<Data extends Payload>(
  moofs: readonly FoundMoof[],
  { length, init, data }: SegmentSource<Data>,
): SegmentMedia<Data> {
  const defaults = readTrackDefaults(init);
  const samples = new Map<number, TimedSample<Data>[]>();
  for (const moof of moofs) {
    for (const traf of readBoxes(moof.box, 8)) {
      if (traf.type === 'traf') readTraf(traf, { moof, length, data, defaults, samples });
    }
  }
  return {
    video: joinSamples(samples.get(VIDEO_TRACK) ?? []),
    audio: joinSamples(samples.get(AUDIO_TRACK) ?? []),
  };
}

/** Joins the samples into one sequence: each sample lasts until the next one begins. */
function joinSamples<Data>(
  samples: readonly TimedSample<Data>[],
): SegmentTrack<TimedSample<Data>> | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return undefined;
  const contiguousSamples = samples.map((sample, index) => ({
    ...sample,
    duration: (samples[index + 1]?.dts ?? sample.dts + sample.duration) - sample.dts,
  }));
  return { start: first.dts, end: last.dts + last.duration, samples: contiguousSamples };
}

function readTrackDefaults(init: Buffer): Map<number, SampleDefaults> {
  for (const { track, handler } of readInit(init)) {
    if (track !== (handler === 'vide' ? VIDEO_TRACK : AUDIO_TRACK))
      throw new Error('Track 1 must be the video, and track 2 the audio');
  }
  const mvex = findBox(init, ['moov', 'mvex']);
  const trexes = [...readBoxes(init, mvex.start, mvex.end)].filter(({ type }) => type === 'trex');
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

interface TrafContext<Data> extends Pick<SegmentSource<Data>, 'length' | 'data'> {
  /** The box that contains the fragment run. */
  readonly moof: FoundMoof;
  readonly defaults: ReadonlyMap<number, SampleDefaults>;
  readonly samples: Map<number, TimedSample<Data>[]>;
}

function readTraf<Data>(traf: FoundBox, { defaults, samples, ...location }: TrafContext<Data>): void {
  const { box: data } = location.moof;
  const tfhd = findBox(data, ['tfhd'], traf);
  const track = data.readUInt32BE(tfhd.start + 4);
  const fallback = defaults.get(track);
  const flags = data.readUIntBE(tfhd.start + 1, 3);
  if (!fallback || hasFlag(flags, 1) || !hasFlag(flags, 0x020000))
    throw new Error('Offsets must count from the start of the moof');
  let offset = tfhd.start + 8 + (hasFlag(flags, 2) ? 4 : 0);
  const readOptional = (flag: number, otherwise: number) => {
    if (!hasFlag(flags, flag)) return otherwise;
    offset += 4;
    return data.readUInt32BE(offset - 4);
  };
  const trackDefaults = {
    duration: readOptional(8, fallback.duration),
    size: readOptional(0x10, fallback.size),
    flags: readOptional(0x20, fallback.flags),
  };
  const tfdt = findBox(data, ['tfdt'], traf);
  const is64Bit = data.readUInt8(tfdt.start) === 1;
  let dts = data.readUInt32BE(tfdt.start + 4);
  if (is64Bit) dts = dts * 2 ** 32 + data.readUInt32BE(tfdt.start + 8);
  const trackSamples = samples.get(track) ?? [];
  samples.set(track, trackSamples);
  for (const trun of readBoxes(data, traf.start, traf.end)) {
    if (trun.type === 'trun') dts = readTrun(trun, { ...location, trackDefaults, dts, trackSamples });
  }
}

interface TrunContext<Data> extends Pick<TrafContext<Data>, 'moof' | 'length' | 'data'> {
  readonly trackDefaults: SampleDefaults;
  /** Decode time of the first sample, in ticks. */
  readonly dts: number;
  readonly trackSamples: TimedSample<Data>[];
}

/**
 * Adds the samples of a `trun`.
 * @returns the decode time after its last sample
 */
function readTrun<Data>(
  trun: FoundBox,
  { moof, length, data: dataOf, trackDefaults, dts: start, trackSamples }: TrunContext<Data>,
): number {
  const { box: data } = moof;
  const hasSignedOffsets = data.readUInt8(trun.start) > 0;
  const flags = data.readUIntBE(trun.start + 1, 3);
  if (!hasFlag(flags, 1)) throw new Error('A trun must have a data offset');
  const count = data.readUInt32BE(trun.start + 4);
  let from = moof.at + data.readInt32BE(trun.start + 8);
  let offset = trun.start + 12;
  const readOptional = (flag: number, otherwise: number) => {
    if (!hasFlag(flags, flag)) return otherwise;
    offset += 4;
    return data.readUInt32BE(offset - 4);
  };
  const firstFlags = readOptional(4, trackDefaults.flags);
  let dts = start;
  for (let i = 0; i < count; i++) {
    if (offset > trun.end) throw new Error('A trun is truncated');
    const duration = readOptional(0x100, trackDefaults.duration);
    const size = readOptional(0x200, trackDefaults.size);
    const sampleFlags = readOptional(0x400, i === 0 ? firstFlags : trackDefaults.flags);
    const compositionField = readOptional(0x800, 0);
    if (from < 0 || from + size > length) throw new Error('A sample lies outside its segment');
    const compositionOffset = hasSignedOffsets ? compositionField | 0 : compositionField;
    const sample = { data: dataOf({ at: from, length: size }), dts, duration, compositionOffset };
    trackSamples.push({ ...sample, key: !hasFlag(sampleFlags, NON_SYNC) });
    from += size;
    dts += duration;
  }
  return dts;
}
