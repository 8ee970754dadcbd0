import { BitReader, CodecDataError } from './bit-reader';

/** The configuration of an AAC track. */
export interface AudioConfig {
  /** RFC 6381 name: `mp4a.40.2` (LC), `.5` (SBR), `.29` (SBR with PS). */
  readonly codec: string;
  /** Rate of the core coder in Hz. It is the track's timescale, and frame durations count in it. */
  readonly timescale: number;
  /** Output sample rate in Hz; twice the timescale with SBR. */
  readonly sampleRate: number;
  readonly channels: number;
  /** Layout of the channels (ISO/IEC 14496-3 table 1.19); 0: a program config element lists them. */
  readonly channelConfiguration: number;
  /** Core samples in one access unit: 1024 or 960. */
  readonly samplesPerFrame: number;
  /** The AudioSpecificConfig as received. */
  readonly record: Buffer;
  /** Whether the track begins with inserted silence, because the publisher had sent no audio yet. */
  readonly isFilled?: true;
}

/** Sample rates of AAC in Hz, by index (ISO/IEC 14496-3 table 1.18). */
export const AAC_RATES: readonly number[] = [
  96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];
/** Sampling frequency index of a rate that is written out in 24 bits. */
const EXPLICIT_RATE = 15;
/** ISO/IEC 14496-3 table 1.19, by channelConfiguration; 0 points to a program config element. */
const CHANNELS: readonly (number | undefined)[] = [
  undefined,
  1,
  2,
  3,
  4,
  5,
  6,
  8,
  undefined,
  undefined,
  undefined,
  7,
  8,
  24,
  8,
];
/** Audio object types (ISO/IEC 14496-3 table 1.17): AAC-LC, spectral band replication and parametric stereo. */
const LC = 2;
const SBR = 5;
const PS = 29;
/** Main, LC, SSR and LTP: the object types with a plain GASpecificConfig that players accept. */
const PLAIN_TYPES = new Set([1, LC, 3, 4]);
const MAX_RECORD_BYTES = 512;

/**
 * Parses an AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1).
 * @throws CodecDataError for configurations that players cannot decode
 */
export function parseAacConfig(record: Buffer): AudioConfig {
  if (record.length === 0) throw new CodecDataError('AudioSpecificConfig is missing');
  if (record.length > MAX_RECORD_BYTES) throw new CodecDataError('AudioSpecificConfig is too long');
  const reader = new BitReader(record, 'AudioSpecificConfig');
  const announcedType = readObjectType(reader);
  const timescale = readSampleRate(reader);
  const channelConfiguration = reader.bits(4);
  const hasExtension = announcedType === SBR || announcedType === PS;
  const explicitRate = hasExtension ? readSampleRate(reader) : undefined;
  const coreType = hasExtension ? readObjectType(reader) : announcedType;
  if (!PLAIN_TYPES.has(coreType)) {
    throw new CodecDataError(`AAC object type ${coreType} is not supported; use AAC-LC or HE-AAC`);
  }
  const samplesPerFrame = reader.flag() ? 960 : 1024;
  if (reader.flag()) reader.skip(14); // coreCoderDelay
  reader.skip(1); // extensionFlag carries nothing for these object types
  const channels = channelConfiguration === 0 ? readProgramChannels(reader) : CHANNELS[channelConfiguration];
  if (channels === undefined || channels === 0) {
    throw new CodecDataError(
      `AudioSpecificConfig has an unknown channel configuration ${channelConfiguration}`,
    );
  }
  const implicitExtension = hasExtension ? undefined : readImplicitExtension(reader);
  const type = implicitExtension?.type ?? announcedType;
  const sampleRate = explicitRate ?? implicitExtension?.rate ?? timescale;
  return {
    codec: `mp4a.40.${type}`,
    timescale,
    sampleRate,
    channels,
    channelConfiguration,
    samplesPerFrame,
    record,
  };
}

/**
 * The AudioSpecificConfig of AAC-LC for this format; undefined if the sample rate or the channel count has no
 * index.
 */
export function buildAacRecord(sampleRate: number, channels: number): Buffer | undefined {
  const index = AAC_RATES.indexOf(sampleRate);
  const channelConfiguration = CHANNELS.indexOf(channels);
  if (index < 0 || channelConfiguration < 1) return undefined;
  const record = Buffer.alloc(2);
  record.writeUInt16BE((LC << 11) | (index << 7) | (channelConfiguration << 3));
  return record;
}

/**
 * The AudioSpecificConfig of HE-AAC, whose output has twice the rate of its core; undefined if a sample rate or the
 * channel count has no index.
 */
export function buildHeAacRecord(coreRate: number, channels: number): Buffer | undefined {
  const [core, output] = [AAC_RATES.indexOf(coreRate), AAC_RATES.indexOf(coreRate * 2)];
  const channelConfiguration = CHANNELS.indexOf(channels);
  if (core < 0 || output < 0 || channelConfiguration < 1) return undefined;
  const record = Buffer.alloc(4);
  record.writeUInt32BE(
    ((SBR << 27) | (core << 23) | (channelConfiguration << 19) | (output << 15) | (LC << 10)) >>> 0,
  );
  return record;
}

/** Reads an audio object type; 31 announces a longer field. */
function readObjectType(reader: BitReader): number {
  const type = reader.bits(5);
  return type === 31 ? 32 + reader.bits(6) : type;
}

function readSampleRate(reader: BitReader): number {
  const index = reader.bits(4);
  const rate = index === EXPLICIT_RATE ? reader.bits(24) : AAC_RATES[index];
  if (rate === undefined || rate < 4000 || rate > 192_000) {
    throw new CodecDataError(
      `AudioSpecificConfig has an impossible sample rate (${rate ?? `index ${index}`})`,
    );
  }
  return rate;
}

/**
 * Sums the channels of a program_config_element (ISO/IEC 14496-3 §4.4.1.1), without reading its comment and
 * alignment.
 */
function readProgramChannels(reader: BitReader): number {
  reader.skip(4 + 2 + 4); // tag, profile, rate
  const [frontElements, sideElements, backElements] = [reader.bits(4), reader.bits(4), reader.bits(4)];
  const lfeChannels = reader.bits(2);
  const dataElements = reader.bits(3);
  const couplingElements = reader.bits(4);
  if (reader.flag()) reader.skip(4); // mono mixdown
  if (reader.flag()) reader.skip(4); // stereo mixdown
  if (reader.flag()) reader.skip(3); // matrix mixdown
  let channels = lfeChannels;
  for (let i = 0; i < frontElements + sideElements + backElements; i++) {
    channels += reader.flag() ? 2 : 1;
    reader.skip(4);
  }
  reader.skip(4 * (lfeChannels + dataElements) + 5 * couplingElements);
  reader.alignToByte();
  reader.skip(8 * reader.bits(8));
  return channels;
}

/** SBR signalled after the configuration, where old decoders ignore it (ISO/IEC 14496-3 §1.6.5.3). */
function readImplicitExtension(reader: BitReader): { type: number; rate: number } | undefined {
  // 0x2b7 and 0x548 are the values of syncExtensionType that announce SBR and PS.
  if (reader.bitsLeft < 16 || reader.bits(11) !== 0x2b7) return undefined;
  if (readObjectType(reader) !== SBR || !reader.flag()) return undefined;
  const rate = readSampleRate(reader);
  const hasParametricStereo = reader.bitsLeft >= 12 && reader.bits(11) === 0x548 && reader.flag();
  return { type: hasParametricStereo ? PS : SBR, rate };
}
