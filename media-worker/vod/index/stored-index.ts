import type { VideoCodingName } from '@/media-worker/media/cmaf/codec-config';
import type { ByteSource } from './byte-source';
import { NumberReader, NumberWriter } from './numbers';
import type { IndexedPeriod, IndexedVideo, MovieIndex } from './make-index';
import type { SegmentSpan } from './segment-spans';
import { IndexError, type LinesRange, checksum, serializeLines } from './stored-lines';

/** Video codecs. An index stores the position in this list. */
const codings: readonly VideoCodingName[] = ['avc', 'hevc', 'av1'];

const magic = 'HWIX';
/** Version 2 has one period and no period count. */
const versions = [2, 3] as const;
/** Magic, version, sizes of the head, of the lines and of the encoded frames, and a checksum of the head. */
const PREFIX_BYTES = 26;
const MAX_HEAD_BYTES = 32 * 2 ** 20;
const MAX_SEGMENTS = 100_000;
const MAX_PERIODS = 1_000;
/** Bytes of a SHA-256 that are stored as the checksum of the head. */
const CHECKSUM_BYTES = 8;

export interface IndexedSource {
  /** Name of the file in the folder of the asset. */
  readonly file: string;
  readonly bytes: number;
  /** SHA-256 of the asset's file, hexadecimal. */
  readonly contentHash: string;
  /** Frames per second; undefined if they vary. */
  readonly frameRate: number | undefined;
}

/** The part that every request needs: codecs and the segment table. */
export interface IndexHead {
  readonly source: IndexedSource;
  readonly periods: readonly StoredPeriod[];
  /** Segments of all periods. */
  readonly segments: readonly StoredSegment[];
  /** Position of the encoded frames in the index, bytes. */
  readonly encodedAt: number;
  /** Tag that changes with the file and its layout. */
  readonly etag: string;
}

/** A part of the asset with one configuration of its tracks. */
export interface StoredPeriod {
  readonly video: Omit<IndexedVideo, 'samples'> | undefined;
  readonly audio: { readonly record: Buffer } | undefined;
}

export interface StoredSegment
  extends LinesRange, Pick<SegmentSpan, 'seconds' | 'startSeconds' | 'independent' | 'bytes'> {
  /** Number of the segment's period. */
  readonly period: number;
}

/** Serializes an index: head, lines of each segment, encoded frames. */
export function serializeIndex(index: MovieIndex, source: IndexedSource): Buffer[] {
  const { periods } = index;
  const lines = periods.flatMap((period) =>
    period.segments.map((segment) => serializeLines(period, segment)),
  );
  const head = new NumberWriter();
  head
    .writeBytes(Buffer.from(source.contentHash, 'hex'))
    .writeBytes(Buffer.from(source.file))
    .writeNumber(source.bytes);
  head.writeNumber(Math.round((source.frameRate ?? 0) * 1_000));
  if (periods.length > 1) head.writeNumber(periods.length);
  for (const period of periods) {
    writeTracks(head, period);
    if (periods.length > 1) head.writeNumber(period.segments.length);
  }
  head.writeNumber(lines.length);
  const segments = periods.flatMap((period) => period.segments);
  for (const [segmentIndex, { seconds, bytes, independent }] of segments.entries()) {
    head
      .writeNumber(Math.round(seconds * MICROSECONDS_PER_SECOND))
      .writeNumber(bytes)
      .writeNumber(independent ? 1 : 0);
    head.writeNumber(lines[segmentIndex]?.length ?? 0);
  }
  const content = head.toBuffer();
  const totalBytes = (parts: readonly Buffer[]) => parts.reduce((total, { length }) => total + length, 0);
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.write(magic, 0, 'latin1');
  prefix.writeUInt32BE(versions[periods.length > 1 ? 1 : 0], 4);
  prefix.writeUInt32BE(content.length, 8);
  prefix.writeUIntBE(totalBytes(lines), 12, 6);
  checksum(content).copy(prefix, 18, 0, CHECKSUM_BYTES);
  return [prefix, content, ...lines, ...index.encodedFrames];
}

function writeTracks(head: NumberWriter, { video, audio }: IndexedPeriod): void {
  head.writeNumber(video ? 1 + codings.indexOf(video.coding) : 0).writeNumber(audio ? 1 : 0);
  if (video) {
    head.writeBytes(video.record).writeNumber(video.pixelAspect.num).writeNumber(video.pixelAspect.den);
    for (let offset = 0; offset < 9; offset++) head.writeSignedNumber(video.matrix[offset] ?? 0);
  }
  if (audio) head.writeBytes(audio.record);
}

const MICROSECONDS_PER_SECOND = 1_000_000;

/**
 * Reads the head of an index.
 * @throws IndexError if it is damaged or of another version
 */
export async function readIndexHead(source: ByteSource): Promise<IndexHead> {
  const prefix = await source.read(0, PREFIX_BYTES);
  if (prefix.length < PREFIX_BYTES || prefix.toString('latin1', 0, 4) !== magic)
    throw new IndexError('it does not begin like an index');
  const version = versions.find((candidate) => candidate === prefix.readUInt32BE(4));
  if (!version) throw new IndexError('it has another version');
  const headBytes = prefix.readUInt32BE(8);
  const linesBytes = prefix.readUIntBE(12, 6);
  if (headBytes > MAX_HEAD_BYTES || PREFIX_BYTES + headBytes + linesBytes > source.size)
    throw new IndexError('it is truncated');
  const content = await source.read(PREFIX_BYTES, headBytes);
  const headChecksum = checksum(content);
  if (headChecksum.compare(prefix, 18, 18 + CHECKSUM_BYTES, 0, CHECKSUM_BYTES) !== 0)
    throw new IndexError('it is damaged');
  const linesAt = PREFIX_BYTES + headBytes;
  const head = readHead(new NumberReader(content), { linesAt, hasPeriods: version === versions[1] });
  if (head.segments.reduce((total, segment) => total + segment.linesBytes, 0) !== linesBytes)
    throw new IndexError('its segments do not fill it');
  return { ...head, encodedAt: linesAt + linesBytes, etag: headChecksum.toString('hex', 0, 16) };
}

function readHead(
  reader: NumberReader,
  { linesAt: linesStart, hasPeriods }: { readonly linesAt: number; readonly hasPeriods: boolean },
): Omit<IndexHead, 'encodedAt' | 'etag'> {
  const source = readSource(reader);
  const periodCount = hasPeriods ? reader.readNumber() : 1;
  if (periodCount > MAX_PERIODS) throw new IndexError('it has too many periods');
  /** For each period, the index of the first segment after it. */
  const endSegments: number[] = [];
  const periods = Array.from({ length: periodCount }, () => {
    const period = readTracks(reader);
    endSegments.push((endSegments.at(-1) ?? 0) + (hasPeriods ? reader.readNumber() : Infinity));
    return period;
  });
  const count = reader.readNumber();
  if (count > MAX_SEGMENTS) throw new IndexError('it has too many segments');
  if (hasPeriods && endSegments.at(-1) !== count)
    throw new IndexError('its periods do not have all segments');
  let [startSeconds, linesAt, period] = [0, linesStart, 0];
  const segments = Array.from({ length: count }, (_, index) => {
    while (index >= (endSegments[period] ?? Infinity)) period += 1;
    const segment = {
      startSeconds,
      linesAt,
      period,
      seconds: reader.readNumber() / MICROSECONDS_PER_SECOND,
      bytes: reader.readNumber(),
      independent: reader.readNumber() === 1,
      linesBytes: reader.readNumber(),
    };
    startSeconds += segment.seconds;
    linesAt += segment.linesBytes;
    return segment;
  });
  return { source, periods, segments };
}

function readTracks(reader: NumberReader): StoredPeriod {
  const [videoKind, hasAudio] = [reader.readNumber(), reader.readNumber() === 1];
  const coding = codings[videoKind - 1];
  if (videoKind > 0 && !coding) throw new IndexError('its video has an unknown coding');
  const video = coding
    ? {
        coding,
        record: reader.readBytes(),
        pixelAspect: { num: reader.readNumber(), den: reader.readNumber() },
        matrix: Array.from({ length: 9 }, () => reader.readSignedNumber()),
      }
    : undefined;
  return { video, audio: hasAudio ? { record: reader.readBytes() } : undefined };
}

function readSource(reader: NumberReader): IndexedSource {
  const contentHash = reader.readBytes().toString('hex');
  const [file, bytes, rate] = [reader.readBytes().toString(), reader.readNumber(), reader.readNumber()];
  return { contentHash, file, bytes, frameRate: rate === 0 ? undefined : rate / 1_000 };
}
