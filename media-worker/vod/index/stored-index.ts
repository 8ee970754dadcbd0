import { createHash } from 'node:crypto';
import type { VideoCodingName } from '@/media-worker/media/cmaf/codec-config';
import type { ByteSource } from './byte-source';
import { NumberReader, NumberWriter } from './numbers';
import type { MovieIndex } from './make-index';
import { SampleList, maxSamples } from './sample-list';
import type { SegmentSpan } from './segment-spans';

/** A damaged index, or one of another program version. It can be recreated from the file. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
}

/** The index in this list is stored. */
const codings: readonly VideoCodingName[] = ['avc', 'hevc', 'av1'];

const magic = 'HWIX';
const version = 2;
/** Magic, version, sizes of head, lines and encoded frames, and a checksum of the head. */
const prefixBytes = 26;
const maxHeadBytes = 32 * 2 ** 20;
const maxSegments = 100_000;
const checksumBytes = 8;

/** The file that an index describes. */
export interface IndexedSource {
  /** Its name in the folder of the asset. */
  readonly file: string;
  readonly bytes: number;
  /** SHA-256 of the asset's file, hexadecimal. */
  readonly contentHash: string;
  /** Frames per second, if known. */
  readonly frameRate: number | undefined;
}

/** The part that every request needs: codecs and the segment table. */
export interface IndexHead {
  /** The indexed file. */
  readonly source: IndexedSource;
  readonly video:
    | {
        readonly coding: VideoCodingName;
        readonly record: Buffer;
        readonly pixelAspect: { readonly num: number; readonly den: number };
        readonly matrix: readonly number[];
      }
    | undefined;
  readonly audio: { readonly record: Buffer } | undefined;
  readonly segments: readonly StoredSegment[];
  /** Position of encoded frames in the index. */
  readonly encodedAt: number;
  /** Changes with the file and its layout. */
  readonly etag: string;
}

export interface StoredSegment extends Pick<SegmentSpan, 'seconds' | 'at' | 'independent' | 'bytes'> {
  /** Position of its lines in the index. */
  readonly linesAt: number;
  readonly linesBytes: number;
}

/** Lines of one track in one segment. */
export interface SegmentLines {
  readonly video: SampleList;
  readonly audio: SampleList;
}

/** The bytes of an index: head, lines of each segment, encoded frames. */
export function indexBytes(index: MovieIndex, source: IndexedSource): Buffer[] {
  const lines = index.segments.map((segment) => linesOf(index, segment));
  const head = new NumberWriter();
  head.bytes(Buffer.from(source.contentHash, 'hex')).bytes(Buffer.from(source.file)).number(source.bytes);
  head.number(Math.round((source.frameRate ?? 0) * 1_000));
  const { video, audio, segments } = index;
  head.number(video ? 1 + codings.indexOf(video.coding) : 0).number(audio ? 1 : 0);
  if (video) {
    head.bytes(video.record).number(video.pixelAspect.num).number(video.pixelAspect.den);
    for (let at = 0; at < 9; at++) head.signedNumber(video.matrix[at] ?? 0);
  }
  if (audio) head.bytes(audio.record);
  head.number(segments.length);
  for (const [at, { seconds, bytes, independent }] of segments.entries()) {
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
  prefix.writeUInt32BE(version, 4);
  prefix.writeUInt32BE(content.length, 8);
  prefix.writeUIntBE(sum(lines), 12, 6);
  checksum(content).copy(prefix, 18, 0, checksumBytes);
  return [prefix, content, ...lines, ...index.encodedFrames];
}

const microseconds = 1_000_000;

const checksum = (content: Buffer): Buffer => createHash('sha256').update(content).digest();

/** @throws IndexError */
export async function readIndexHead(source: ByteSource): Promise<IndexHead> {
  const prefix = await source.read(0, prefixBytes);
  if (prefix.length < prefixBytes || prefix.toString('latin1', 0, 4) !== magic)
    throw new IndexError('it does not begin like an index');
  if (prefix.readUInt32BE(4) !== version) throw new IndexError('it has another version');
  const headBytes = prefix.readUInt32BE(8);
  const linesBytes = prefix.readUIntBE(12, 6);
  if (headBytes > maxHeadBytes || prefixBytes + headBytes + linesBytes > source.size)
    throw new IndexError('it is cut off');
  const content = await source.read(prefixBytes, headBytes);
  const sum = checksum(content);
  if (sum.compare(prefix, 18, 18 + checksumBytes, 0, checksumBytes) !== 0)
    throw new IndexError('it is damaged');
  const linesAt = prefixBytes + headBytes;
  const head = readHead(new NumberReader(content), linesAt);
  if (head.segments.reduce((total, segment) => total + segment.linesBytes, 0) !== linesBytes)
    throw new IndexError('its segments do not fill it');
  return { ...head, encodedAt: linesAt + linesBytes, etag: sum.toString('hex', 0, 16) };
}

function readHead(from: NumberReader, linesStart: number): Omit<IndexHead, 'encodedAt' | 'etag'> {
  const source = readSource(from);
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
  const audio = hasAudio ? { record: from.bytes() } : undefined;
  const count = from.number();
  if (count > maxSegments) throw new IndexError('it has too many segments');
  let [at, linesAt] = [0, linesStart];
  const segments = Array.from({ length: count }, () => {
    const segment = {
      at,
      linesAt,
      seconds: from.number() / microseconds,
      bytes: from.number(),
      independent: from.number() === 1,
      linesBytes: from.number(),
    };
    at += segment.seconds;
    linesAt += segment.linesBytes;
    return segment;
  });
  return { source, video, audio, segments };
}

function readSource(from: NumberReader): IndexedSource {
  const contentHash = from.bytes().toString('hex');
  const [file, bytes, rate] = [from.bytes().toString(), from.number(), from.number()];
  return { contentHash, file, bytes, frameRate: rate === 0 ? undefined : rate / 1_000 };
}

function linesOf({ video, audio }: MovieIndex, segment: SegmentSpan): Buffer {
  const lines = new NumberWriter();
  writeSpan(lines, video?.samples, segment.video);
  writeSpan(lines, audio?.samples, segment.audio);
  const content = lines.buffer();
  return Buffer.concat([content, checksum(content).subarray(0, 4)]);
}

/** Flags of a line besides its size. */
const isKey = 1;
const movesOn = 2;
const otherDuration = 4;
const otherShift = 8;
const flagValues = 16;

function writeSpan(
  lines: NumberWriter,
  list: SampleList | undefined,
  { first, end }: SegmentSpan['video'],
): void {
  lines.number(list ? end - first : 0);
  if (!list || end === first) return;
  lines.number(list.dts[first] ?? 0);
  const previous = { offset: 0, entry: 0, duration: 0, shift: 0 };
  for (let sample = first; sample < end; sample++) {
    const [offset, size, entry] = [list.offset[sample] ?? 0, list.size[sample] ?? 0, list.entry[sample] ?? 0];
    const [duration, shift] = [list.duration[sample] ?? 0, list.shift[sample] ?? 0];
    const moves = offset !== previous.offset || entry !== previous.entry;
    const flags =
      (list.key[sample] === 1 ? isKey : 0) +
      (moves ? movesOn : 0) +
      (duration === previous.duration ? 0 : otherDuration) +
      (shift === previous.shift ? 0 : otherShift);
    lines.number(size * flagValues + flags);
    if (moves) lines.number(entry).signedNumber(offset - previous.offset);
    if (duration !== previous.duration) lines.number(duration);
    if (shift !== previous.shift) lines.signedNumber(shift);
    Object.assign(previous, { offset: offset + size, entry, duration, shift });
  }
}

/** The lines of one segment. @throws IndexError if they are damaged */
export async function readLines(
  source: ByteSource,
  { linesAt, linesBytes }: StoredSegment,
): Promise<SegmentLines> {
  const data = await source.read(linesAt, linesBytes);
  const content = data.subarray(0, -4);
  if (data.length < linesBytes || checksum(content).compare(data, data.length - 4, data.length, 0, 4) !== 0)
    throw new IndexError('a segment of it is damaged');
  const lines = new NumberReader(content);
  return { video: readSpan(lines), audio: readSpan(lines) };
}

function readSpan(lines: NumberReader): SampleList {
  const count = lines.number();
  // Each sample takes at least a byte.
  if (count > lines.bytesLeft) throw new IndexError('a segment of it claims too many samples');
  const list = new SampleList({ samples: maxSamples, fileSize: Infinity });
  if (count === 0) return list;
  list.reserve(count);
  let dts = lines.number();
  let [offset, entry, duration, shift] = [0, 0, 0, 0];
  for (let sample = 0; sample < count; sample++) {
    const line = lines.number();
    const flags = line % flagValues;
    const size = (line - flags) / flagValues;
    if ((flags & movesOn) !== 0) {
      entry = lines.number();
      offset += lines.signedNumber();
    }
    if ((flags & otherDuration) !== 0) duration = lines.number();
    if ((flags & otherShift) !== 0) shift = lines.signedNumber();
    list.push({ offset, size, dts, duration, shift, key: (flags & isKey) !== 0, entry });
    offset += size;
    dts += duration;
  }
  return list;
}
