import type { AudioSample, Payload, TrackSamples, VideoSample } from './media-part';
import { AUDIO_TRACK, VIDEO_TRACK } from './init-segment';
import { findBox, readBoxes, type FoundBox } from './read-boxes';
import { readInit } from './read-init';

/** A sample of a segment; times in the track's ticks. */
interface TimedSample<Data> {
  readonly data: Data;
  /** Decode time. */
  readonly dts: number;
  readonly duration: number;
  readonly compositionOffset: number;
  /** Whether decoding can begin at the sample. */
  readonly key: boolean;
}

/** The samples of one track of a segment. */
export interface SegmentTrack<Sample> extends TrackSamples<Sample> {
  /** Decode time after the last sample, in ticks. */
  readonly end: number;
}

/** The media of one segment. */
export interface SegmentMedia<Data extends Payload = Buffer> {
  readonly video: SegmentTrack<VideoSample<Data>> | undefined;
  readonly audio: SegmentTrack<AudioSample<Data>> | undefined;
}

/** A range of bytes in a stored file. */
export interface FileRange extends Payload {
  /** Offset of the first byte. */
  readonly offset: number;
}

/** A `moof` box of a stored segment. */
export interface FoundMoof {
  /** Offset of the box in the segment. */
  readonly offset: number;
  /** The whole box. */
  readonly box: Buffer;
}

/** Defaults for samples without their own values (ISO/IEC 14496-12 §8.8.3, §8.8.7). */
interface SampleDefaults {
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

/** `sample_is_non_sync_sample` in the flags of a sample (ISO/IEC 14496-12 §8.8.3.1). */
const NON_SYNC = 0x10000;
/** Flags of `tfhd` and `trun` are those of ISO/IEC 14496-12 §8.8.7.1 and §8.8.8.1: each announces an optional field. */
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
    .map(({ start, end }) => ({ offset: start - 8, box: segment.subarray(start - 8, end) }));
  const data = ({ offset, length }: FileRange) => segment.subarray(offset, offset + length);
  return readMoofs(moofs, { length: segment.length, init, data });
}

/**
 * Locates the samples of a segment that is not in memory.
 * @param length length of the segment, bytes
 */
export function locateSamples(
  moofs: readonly FoundMoof[],
  length: number,
  init: Buffer,
): SegmentMedia<FileRange> {
  return readMoofs(moofs, { length, init, data: (part) => part });
}

interface SegmentSource<Data> {
  /** Length of the segment, bytes. */
  readonly length: number;
  readonly init: Buffer;
  /** Returns the data of a sample, or its location. */
  readonly data: (part: FileRange) => Data;
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
  const initDefaults = defaults.get(track);
  const flags = data.readUIntBE(tfhd.start + 1, 3);
  // base-data-offset-present must not be set, default-base-is-moof must.
  if (!initDefaults || hasFlag(flags, 1) || !hasFlag(flags, 0x020000))
    throw new Error('Offsets must count from the start of the moof');
  let fieldOffset = tfhd.start + 8 + (hasFlag(flags, 2) ? 4 : 0);
  const readOptional = (flag: number, defaultValue: number) => {
    if (!hasFlag(flags, flag)) return defaultValue;
    fieldOffset += 4;
    return data.readUInt32BE(fieldOffset - 4);
  };
  // The optional fields of `tfhd` are in this order (ISO/IEC 14496-12 §8.8.7).
  const fragmentDefaults = {
    duration: readOptional(8, initDefaults.duration),
    size: readOptional(0x10, initDefaults.size),
    flags: readOptional(0x20, initDefaults.flags),
  };
  const tfdt = findBox(data, ['tfdt'], traf);
  const is64Bit = data.readUInt8(tfdt.start) === 1;
  let dts = data.readUInt32BE(tfdt.start + 4);
  if (is64Bit) dts = dts * 2 ** 32 + data.readUInt32BE(tfdt.start + 8);
  const trackSamples = samples.get(track) ?? [];
  samples.set(track, trackSamples);
  for (const trun of readBoxes(data, traf.start, traf.end)) {
    if (trun.type === 'trun') dts = readTrun(trun, { ...location, fragmentDefaults, dts, trackSamples });
  }
}

interface TrunContext<Data> extends Pick<TrafContext<Data>, 'moof' | 'length' | 'data'> {
  /** Defaults of the `traf`, for samples without their own values. */
  readonly fragmentDefaults: SampleDefaults;
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
  { moof, length, data: dataOf, fragmentDefaults, dts: start, trackSamples }: TrunContext<Data>,
): number {
  const { box: data } = moof;
  const hasSignedOffsets = data.readUInt8(trun.start) > 0;
  const flags = data.readUIntBE(trun.start + 1, 3);
  if (!hasFlag(flags, 1)) throw new Error('A trun must have a data offset');
  const sampleCount = data.readUInt32BE(trun.start + 4);
  let sampleOffset = moof.offset + data.readInt32BE(trun.start + 8);
  let fieldOffset = trun.start + 12;
  const readOptional = (flag: number, defaultValue: number) => {
    if (!hasFlag(flags, flag)) return defaultValue;
    fieldOffset += 4;
    return data.readUInt32BE(fieldOffset - 4);
  };
  const firstFlags = readOptional(4, fragmentDefaults.flags);
  let dts = start;
  for (let i = 0; i < sampleCount; i++) {
    if (fieldOffset > trun.end) throw new Error('A trun is truncated');
    const duration = readOptional(0x100, fragmentDefaults.duration);
    const size = readOptional(0x200, fragmentDefaults.size);
    const sampleFlags = readOptional(0x400, i === 0 ? firstFlags : fragmentDefaults.flags);
    const compositionField = readOptional(0x800, 0);
    if (sampleOffset < 0 || sampleOffset + size > length)
      throw new Error('A sample lies outside its segment');
    const compositionOffset = hasSignedOffsets ? compositionField | 0 : compositionField;
    const sample = { data: dataOf({ offset: sampleOffset, length: size }), dts, duration, compositionOffset };
    trackSamples.push({ ...sample, key: !hasFlag(sampleFlags, NON_SYNC) });
    sampleOffset += size;
    dts += duration;
  }
  return dts;
}
