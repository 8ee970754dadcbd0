import type { VideoConfig } from '@/media-worker/media/cmaf/codec-config';

/**
 * Matroska (RFC 9559) with one track and times in milliseconds, for programs that read codecs which FLV does not carry.
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
/** Flag of a SimpleBlock. */
const KEYFRAME = 0x80;

/** The bytes before the first frame of video; the segment has no announced size. */
export function encodeMatroskaVideoHead({ coding, record, codedWidth, codedHeight }: VideoConfig): Buffer {
  const videoSize = [
    encodeElement(elementIds.pixelWidth, encodeUint(codedWidth)),
    encodeElement(elementIds.pixelHeight, encodeUint(codedHeight)),
  ];
  return encodeHead({
    type: VIDEO,
    codecId: codecIds[coding],
    codecPrivate: record,
    typeSettings: encodeElement(elementIds.video, ...videoSize),
  });
}

const audioCodecIds = { opus: 'A_OPUS', mp3: 'A_MPEG/L3', ac3: 'A_AC3', eac3: 'A_EAC3' };

export type MatroskaAudioCodec = keyof typeof audioCodecIds;

/** The bytes before the first frame of audio. Decoders read the rate and the channels of all codecs but Opus from the frames. */
export function encodeMatroskaAudioHead(codec: MatroskaAudioCodec): Buffer {
  const frequency = Buffer.alloc(8);
  frequency.writeDoubleBE(SAMPLE_RATE);
  const typeSettings = encodeElement(
    elementIds.audio,
    encodeElement(elementIds.samplingFrequency, frequency),
    encodeElement(elementIds.channels, encodeUint(CHANNELS)),
  );
  const codecPrivate = codec === 'opus' ? encodeOpusHead() : Buffer.alloc(0);
  return encodeHead({ type: AUDIO, codecId: audioCodecIds[codec], codecPrivate, typeSettings });
}

/** The identification header of Opus, without samples to skip (RFC 7845 §5.1). */
function encodeOpusHead(): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  // The version.
  head.writeUInt8(1, 8);
  head.writeUInt8(CHANNELS, 9);
  head.writeUInt32LE(SAMPLE_RATE, 12);
  return head;
}

interface TrackHead {
  readonly type: typeof VIDEO | typeof AUDIO;
  readonly codecId: string;
  readonly codecPrivate: Buffer;
  readonly typeSettings: Buffer;
}

function encodeHead({ type, codecId, codecPrivate, typeSettings }: TrackHead): Buffer {
  const text = (value: string) => Buffer.from(value, 'latin1');
  const entry = [
    encodeElement(elementIds.trackNumber, encodeUint(TRACK_NUMBER)),
    encodeElement(elementIds.trackUid, encodeUint(TRACK_NUMBER)),
    encodeElement(elementIds.trackType, encodeUint(type)),
    encodeElement(elementIds.codecId, text(codecId)),
    ...(codecPrivate.length > 0 ? [encodeElement(elementIds.codecPrivate, codecPrivate)] : []),
    typeSettings,
  ];
  return Buffer.concat([
    encodeElement(elementIds.ebml, encodeElement(elementIds.docType, text('matroska'))),
    // A size of only ones: unknown, because the stream has no known end.
    Buffer.from(`${elementIds.segment}01ffffffffffffff`, 'hex'),
    encodeElement(
      elementIds.info,
      encodeElement(elementIds.timestampScale, encodeUint(TIMESTAMP_SCALE)),
      ...[
        encodeElement(elementIds.muxingApp, text('headwater')),
        encodeElement(elementIds.writingApp, text('headwater')),
      ],
    ),
    encodeElement(elementIds.tracks, encodeElement(elementIds.trackEntry, ...entry)),
  ]);
}

/**
 * One frame in its own cluster.
 * @param pts milliseconds, not negative
 */
export function encodeMatroskaFrame({ pts, key, data }: { pts: number; key: boolean; data: Buffer }): Buffer {
  // The track number as an EBML integer of one byte, and the time after that of the cluster, which is 0.
  const head = Buffer.from([0x80 | TRACK_NUMBER, 0, 0, key ? KEYFRAME : 0]);
  return encodeElement(
    elementIds.cluster,
    encodeElement(elementIds.timestamp, encodeUint(pts)),
    encodeElement(elementIds.simpleBlock, head, data),
  );
}

/**
 * An EBML element, whose size field always has eight bytes: the lowest bit of the first byte says so.
 * @param id hex digits
 */
function encodeElement(id: string, ...content: readonly Buffer[]): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE((1n << 56n) + BigInt(content.reduce((sum, { length }) => sum + length, 0)));
  return Buffer.concat([Buffer.from(id, 'hex'), size, ...content]);
}

function encodeUint(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
