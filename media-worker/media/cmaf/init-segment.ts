import { ascii, box, bytes, fullBox, u16, u32 } from './boxes';
import { codingOf, displaySize } from './codec-config';
import type { AudioConfig, Tracks, VideoConfig } from './codec-config';

export const VIDEO_TRACK = 1;
export const AUDIO_TRACK = 2;
/** Ticks per second of every video track: milliseconds and common frame durations are whole ticks. */
export const VIDEO_TIMESCALE = 90_000;

/** Flags of samples: sample_depends_on and sample_is_non_sync_sample (ISO/IEC 14496-12 §8.8.3.1). */
const SYNC_SAMPLE = 0x02000000;
const NON_SYNC_SAMPLE = 0x01010000;
/** The display matrix that changes nothing. */
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
/** `und`, five bits for each letter (ISO/IEC 14496-12 §8.4.2.3). */
const UNDETERMINED_LANGUAGE = 0x55c4;

/** The init segment of these tracks: `ftyp` and a `moov` without samples (ISO/IEC 14496-12 §8.8). */
export function buildInitSegment(tracks: Tracks): Buffer {
  const { video, audio } = tracks;
  const traks = [video && buildVideoTrak(video), audio && buildAudioTrak(audio)];
  const trexes = [
    video && buildTrex(VIDEO_TRACK, NON_SYNC_SAMPLE),
    audio && buildTrex(AUDIO_TRACK, SYNC_SAMPLE),
  ];
  return Buffer.concat([
    box('ftyp', ascii('iso6'), u32(1), ascii('iso6cmfcmp41')),
    box('moov', buildMovieHeader(), ...withoutUndefined(traks), box('mvex', ...withoutUndefined(trexes))),
  ]);
}

const withoutUndefined = (boxes: readonly (Buffer | undefined)[]): Buffer[] =>
  boxes.filter((box) => box !== undefined);

function buildMovieHeader(): Buffer {
  const nextTrack = AUDIO_TRACK + 1;
  return fullBox('mvhd', 0, 0, u32(0, 0, 1000, 0, 0x10000), u16(0x100, 0), u32(0, 0), MATRIX, u32(0, 0, 0, 0, 0, 0, nextTrack)); // prettier-ignore
}

const buildTrex = (track: number, flags: number): Buffer => fullBox('trex', 0, 0, u32(track, 1, 0, 0, flags));

function buildVideoTrak(video: VideoConfig): Buffer {
  const size = displaySize(video);
  return buildTrak({
    id: VIDEO_TRACK,
    timescale: VIDEO_TIMESCALE,
    handler: 'vide',
    volume: 0,
    size: [size.width, size.height],
    mediaHeader: fullBox('vmhd', 0, 1, u32(0, 0)),
    entry: buildVisualEntry(video),
  });
}

function buildAudioTrak(audio: AudioConfig): Buffer {
  return buildTrak({
    id: AUDIO_TRACK,
    timescale: audio.timescale,
    handler: 'soun',
    volume: 0x100,
    size: [0, 0],
    mediaHeader: fullBox('smhd', 0, 0, u32(0)),
    entry: buildMp4a(audio),
  });
}

interface Trak {
  readonly id: number;
  readonly timescale: number;
  readonly handler: 'vide' | 'soun';
  readonly volume: number;
  readonly size: readonly [number, number];
  readonly mediaHeader: Buffer;
  readonly entry: Buffer;
}

function buildTrak(track: Trak): Buffer {
  const [width, height] = track.size;
  // track_enabled and track_in_movie.
  const enabledInMovie = 3;
  const fixedPoint = (value: number): number => Math.min(value, 0xffff) * 0x10000;
  return box(
    'trak',
    fullBox('tkhd', 0, enabledInMovie, u32(0, 0, track.id, 0, 0, 0, 0), u16(0, 0, track.volume, 0), MATRIX, u32(fixedPoint(width), fixedPoint(height))), // prettier-ignore
    box(
      'mdia',
      fullBox('mdhd', 0, 0, u32(0, 0, track.timescale, 0), u16(UNDETERMINED_LANGUAGE, 0)),
      fullBox('hdlr', 0, 0, u32(0), ascii(track.handler), u32(0, 0, 0), bytes(0)),
      box(
        'minf',
        track.mediaHeader,
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        buildSampleTable(track.entry),
      ),
    ),
  );
}

/** The tables are empty, because each `moof` describes its own samples. */
function buildSampleTable(entry: Buffer): Buffer {
  return box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), entry),
    fullBox('stts', 0, 0, u32(0)),
    fullBox('stsc', 0, 0, u32(0)),
    fullBox('stsz', 0, 0, u32(0, 0)),
    fullBox('stco', 0, 0, u32(0)),
  );
}

function buildVisualEntry({ coding, width, height, sar, record }: VideoConfig): Buffer {
  const { entry, recordBox } = codingOf(coding);
  const dpi72 = 0x480000;
  const isSquare = sar.num === sar.den;
  return box(
    entry,
    u32(0, 1),
    u32(0, 0, 0, 0),
    u16(width, height),
    u32(dpi72, dpi72, 0),
    u16(1),
    Buffer.alloc(32), // compressor name
    u16(24, 0xffff),
    box(recordBox, record),
    ...(isSquare ? [] : [box('pasp', u32(sar.num, sar.den))]),
  );
}

function buildMp4a({ channels, timescale, record }: AudioConfig): Buffer {
  // 16.16 fixed point ends at 65535 Hz; for higher rates the field is 0, and players read the AudioSpecificConfig.
  const rate = timescale > 0xffff ? 0 : timescale;
  // Tags: DecoderSpecificInfo is 5, DecoderConfigDescriptor 4, ES_Descriptor 3, SLConfigDescriptor 6 (ISO/IEC 14496-1 §7.2).
  const specific = buildDescriptor(5, record);
  // MPEG-4 audio (0x40), an audio stream (0x15), and no buffer size or bitrates.
  const decoder = buildDescriptor(4, bytes(0x40, 0x15, 0, 0, 0), u32(0, 0), specific);
  const elementary = buildDescriptor(3, bytes(0, AUDIO_TRACK, 0), decoder, buildDescriptor(6, bytes(2)));
  return box(
    'mp4a',
    u32(0, 1),
    u32(0, 0),
    u16(channels, 16, 0, 0, rate, 0),
    fullBox('esds', 0, 0, elementary),
  );
}

/** An MPEG-4 descriptor: tag, length in groups of seven bits, content (ISO/IEC 14496-1 §8.3.3). */
function buildDescriptor(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length = [body.length & 0x7f];
  for (let lengthBits = body.length >> 7; lengthBits > 0; lengthBits >>= 7)
    length.unshift((lengthBits & 0x7f) | 0x80);
  return Buffer.concat([bytes(tag, ...length), body]);
}
