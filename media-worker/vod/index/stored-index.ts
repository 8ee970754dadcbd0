import type { VideoCodingName } from '@/media-worker/media/cmaf/codec-config';
import type { ByteSource } from './byte-source';
import { NumberReader, NumberWriter } from './numbers';
import type { IndexedPeriod, IndexedVideo, MovieIndex } from './make-index';
import type { SegmentSpan } from './segment-spans';
import { IndexError, type LinesPlace, checksum, linesOf } from './stored-lines';

/** Video codecs; the index in this list is stored. */
const codings: readonly VideoCodingName[] = ['avc', 'hevc', 'av1'];

const magic = 'HWIX';
/** Version 2 has one period and no period count. */
const versions = [2, 3] as const;
/** Magic, version, sizes of the head, of the lines and of the encoded frames, and a checksum of the head. */
const prefixBytes = 26;
const maxHeadBytes = 32 * 2 ** 20;
const maxSegments = 100_000;
const maxPeriods = 1_000;
const checksumBytes = 8;

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
  /** Position of encoded frames in the index. */
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
  extends LinesPlace, Pick<SegmentSpan, 'seconds' | 'at' | 'independent' | 'bytes'> {
  /** Number of the segment's period. */
  readonly period: number;
}

/** The bytes of an index: head, lines of each segment, encoded frames. */
export function indexBytes(index: MovieIndex, source: IndexedSource): Buffer[] {
  const { periods } = index;
  const lines = periods.flatMap((period) => period.segments.map((segment) => linesOf(period, segment)));
  const head = new NumberWriter();
  head.bytes(Buffer.from(source.contentHash, 'hex')).bytes(Buffer.from(source.file)).number(source.bytes);
  head.number(Math.round((source.frameRate ?? 0) * 1_000));
  if (periods.length > 1) head.number(periods.length);
  for (const period of periods) {
    writeTracks(head, period);
    if (periods.length > 1) head.number(period.segments.length);
  }
  head.number(lines.length);
  for (const [at, { seconds, bytes, independent }] of periods
    .flatMap((period) => period.segments)
    .entries()) {
    head
      .number(Math.round(seconds * microseconds))
      .number(bytes)
      .number(independent ? 1 : 0);
    head.number(lines[at]?.length ?? 0);
  }
  const content = head.buffer();
  const sum = (parts: readonly Buffer[]) => parts.reduce((total, { length }) => total + length, 0);
  const prefix = Buffer.alloc(prefixBytes);
  prefix.write(magic, 0, 'latin1');
  prefix.writeUInt32BE(versions[periods.length > 1 ? 1 : 0], 4);
  prefix.writeUInt32BE(content.length, 8);
  prefix.writeUIntBE(sum(lines), 12, 6);
  checksum(content).copy(prefix, 18, 0, checksumBytes);
  return [prefix, content, ...lines, ...index.encodedFrames];
}

function writeTracks(head: NumberWriter, { video, audio }: IndexedPeriod): void {
  head.number(video ? 1 + codings.indexOf(video.coding) : 0).number(audio ? 1 : 0);
  if (video) {
    head.bytes(video.record).number(video.pixelAspect.num).number(video.pixelAspect.den);
    for (let at = 0; at < 9; at++) head.signedNumber(video.matrix[at] ?? 0);
  }
  if (audio) head.bytes(audio.record);
}

const microseconds = 1_000_000;

/** @throws IndexError */
export async function readIndexHead(source: ByteSource): Promise<IndexHead> {
  const prefix = await source.read(0, prefixBytes);
  if (prefix.length < prefixBytes || prefix.toString('latin1', 0, 4) !== magic)
    throw new IndexError('it does not begin like an index');
  const version = versions.find((candidate) => candidate === prefix.readUInt32BE(4));
  if (!version) throw new IndexError('it has another version');
  const headBytes = prefix.readUInt32BE(8);
  const linesBytes = prefix.readUIntBE(12, 6);
  if (headBytes > maxHeadBytes || prefixBytes + headBytes + linesBytes > source.size)
    throw new IndexError('it is truncated');
  const content = await source.read(prefixBytes, headBytes);
  const sum = checksum(content);
  if (sum.compare(prefix, 18, 18 + checksumBytes, 0, checksumBytes) !== 0)
    throw new IndexError('it is damaged');
  const linesAt = prefixBytes + headBytes;
  const head = readHead(new NumberReader(content), { linesAt, hasPeriods: version === versions[1] });
  if (head.segments.reduce((total, segment) => total + segment.linesBytes, 0) !== linesBytes)
    throw new IndexError('its segments do not fill it');
  return { ...head, encodedAt: linesAt + linesBytes, etag: sum.toString('hex', 0, 16) };
}

function readHead(
  from: NumberReader,
  { linesAt: linesStart, hasPeriods }: { readonly linesAt: number; readonly hasPeriods: boolean },
): Omit<IndexHead, 'encodedAt' | 'etag'> {
  const source = readSource(from);
  const periodCount = hasPeriods ? from.number() : 1;
  if (periodCount > maxPeriods) throw new IndexError('it has too many periods');
  /** End of each period, as a number of segments. */
  const ends: number[] = [];
  const periods = Array.from({ length: periodCount }, () => {
    const period = readTracks(from);
    ends.push((ends.at(-1) ?? 0) + (hasPeriods ? from.number() : Infinity));
    return period;
  });
  const count = from.number();
  if (count > maxSegments) throw new IndexError('it has too many segments');
  if (hasPeriods && ends.at(-1) !== count) throw new IndexError('its periods do not have all segments');
  let [at, linesAt, period] = [0, linesStart, 0];
  const segments = Array.from({ length: count }, (_, index) => {
    while (index >= (ends[period] ?? Infinity)) period += 1;
    const segment = {
      at,
      linesAt,
      period,
      seconds: from.number() / microseconds,
      bytes: from.number(),
      independent: from.number() === 1,
      linesBytes: from.number(),
    };
    at += segment.seconds;
    linesAt += segment.linesBytes;
    return segment;
  });
  return { source, periods, segments };
}

function readTracks(from: NumberReader): StoredPeriod {
  const [videoKind, hasAudio] = [from.number(), from.number() === 1];
  const coding = codings[videoKind - 1];
  if (videoKind > 0 && !coding) throw new IndexError('its video has an unknown coding');
  const video = coding
    ? {
        coding,
        record: from.bytes(),
        pixelAspect: { num: from.number(), den: from.number() },
        matrix: Array.from({ length: 9 }, () => from.signedNumber()),
      }
    : undefined;
  return { video, audio: hasAudio ? { record: from.bytes() } : undefined };
}

function readSource(from: NumberReader): IndexedSource {
  const contentHash = from.bytes().toString('hex');
  const [file, bytes, rate] = [from.bytes().toString(), from.number(), from.number()];
  return { contentHash, file, bytes, frameRate: rate === 0 ? undefined : rate / 1_000 };
}
