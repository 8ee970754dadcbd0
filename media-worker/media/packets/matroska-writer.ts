import type { VideoConfig } from '@/media-worker/media/cmaf/codec-config';

/**
 * Writes Matroska (RFC 9559) with one track and times in milliseconds, for programs that read codecs which FLV
 * does not carry.
 */

const elementIds = {
  ebml: '1a45dfa3',
  docType: '4282',
  segment: '18538067',
  info: '1549a966',
  timestampScale: '2ad7b1',
  muxingApp: '4d80',
  writingApp: '5741',
  tracks: '1654ae6b',
  trackEntry: 'ae',
  trackNumber: 'd7',
  trackUid: '73c5',
  trackType: '83',
  codecId: '86',
  codecPrivate: '63a2',
  video: 'e0',
  pixelWidth: 'b0',
  pixelHeight: 'ba',
  audio: 'e1',
  samplingFrequency: 'b5',
  channels: '9f',
  cluster: '1f43b675',
  timestamp: 'e7',
  simpleBlock: 'a3',
} as const;

const codecIds = { avc: 'V_MPEG4/ISO/AVC', hevc: 'V_MPEGH/ISO/HEVC', av1: 'V_AV1' };
/** Nanoseconds of one unit of time: a millisecond. */
const TIMESTAMP_SCALE = 1_000_000;
const TRACK_NUMBER = 1;
/** Track types (RFC 9559 §5.1.4.1.3). */
const VIDEO = 1;
const AUDIO = 2;
const SAMPLE_RATE = 48_000;
const CHANNELS = 2;
const KEYFRAME = 0x80;

/** The bytes before the first frame; the segment has no announced size. */
export function encodeMatroskaVideoHead({ coding, record, codedWidth, codedHeight }: VideoConfig): Buffer {
  const videoSize = [
    writeElement(elementIds.pixelWidth, writeUint(codedWidth)),
    writeElement(elementIds.pixelHeight, writeUint(codedHeight)),
  ];
  return buildHead({
    type: VIDEO,
    codecId: codecIds[coding],
    codecPrivate: record,
    details: writeElement(elementIds.video, ...videoSize),
  });
}

const audioCodecIds = { opus: 'A_OPUS', mp3: 'A_MPEG/L3', ac3: 'A_AC3', eac3: 'A_EAC3' };

export type MatroskaAudioCodec = keyof typeof audioCodecIds;

/** The bytes before the first frame of audio. Decoders read the rate and the channels of all codecs but Opus from the frames. */
export function encodeMatroskaAudioHead(codec: MatroskaAudioCodec): Buffer {
  const frequency = Buffer.alloc(8);
  frequency.writeDoubleBE(SAMPLE_RATE);
  const details = writeElement(
    elementIds.audio,
    writeElement(elementIds.samplingFrequency, frequency),
    writeElement(elementIds.channels, writeUint(CHANNELS)),
  );
  const codecPrivate = codec === 'opus' ? writeOpusHead() : Buffer.alloc(0);
  return buildHead({ type: AUDIO, codecId: audioCodecIds[codec], codecPrivate, details });
}

/** The identification header of Opus, without samples to skip (RFC 7845 §5.1). */
function writeOpusHead(): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head.writeUInt8(1, 8);
  head.writeUInt8(CHANNELS, 9);
  head.writeUInt32LE(SAMPLE_RATE, 12);
  return head;
}

interface TrackHead {
  readonly type: typeof VIDEO | typeof AUDIO;
  readonly codecId: string;
  readonly codecPrivate: Buffer;
  readonly details: Buffer;
}

function buildHead({ type, codecId, codecPrivate, details }: TrackHead): Buffer {
  const text = (value: string) => Buffer.from(value, 'latin1');
  const entry = [
    writeElement(elementIds.trackNumber, writeUint(TRACK_NUMBER)),
    writeElement(elementIds.trackUid, writeUint(TRACK_NUMBER)),
    writeElement(elementIds.trackType, writeUint(type)),
    writeElement(elementIds.codecId, text(codecId)),
    ...(codecPrivate.length > 0 ? [writeElement(elementIds.codecPrivate, codecPrivate)] : []),
    details,
  ];
  return Buffer.concat([
    writeElement(elementIds.ebml, writeElement(elementIds.docType, text('matroska'))),
    // A size of only ones: unknown, because the stream has no known end.
    Buffer.from(`${elementIds.segment}01ffffffffffffff`, 'hex'),
    writeElement(
      elementIds.info,
      writeElement(elementIds.timestampScale, writeUint(TIMESTAMP_SCALE)),
      ...[
        writeElement(elementIds.muxingApp, text('headwater')),
        writeElement(elementIds.writingApp, text('headwater')),
      ],
    ),
    writeElement(elementIds.tracks, writeElement(elementIds.trackEntry, ...entry)),
  ]);
}

/**
 * One frame in its own cluster.
 * @param pts milliseconds, not negative
 */
export function encodeMatroskaFrame({ pts, key, data }: { pts: number; key: boolean; data: Buffer }): Buffer {
  const head = Buffer.from([0x80 | TRACK_NUMBER, 0, 0, key ? KEYFRAME : 0]);
  return writeElement(
    elementIds.cluster,
    writeElement(elementIds.timestamp, writeUint(pts)),
    writeElement(elementIds.simpleBlock, head, data),
  );
}

/** An EBML element, whose size field always has eight bytes. */
function writeElement(name: string, ...content: readonly Buffer[]): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE((1n << 56n) + BigInt(content.reduce((sum, { length }) => sum + length, 0)));
  return Buffer.concat([Buffer.from(name, 'hex'), size, ...content]);
}

function writeUint(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
