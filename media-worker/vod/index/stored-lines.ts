import { createHash } from 'node:crypto';
import type { ByteSource } from './byte-source';
import type { IndexedPeriod } from './make-index';
import { NumberReader, NumberWriter } from './numbers';
import { SampleList, MAX_SAMPLES } from './sample-list';
import type { SegmentSpan } from './segment-spans';

/** An index that is damaged, or of another version of the program. It can be recreated from the file. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
}

/** Range of a segment's lines in the index. */
export interface LinesRange {
  readonly linesAt: number;
  readonly linesBytes: number;
}

/** The samples of each track in one segment. */
export interface SegmentLines {
  readonly video: SampleList;
  readonly audio: SampleList;
}

/** SHA-256, of which the callers store some bytes. */
export const checksum = (content: Buffer): Buffer => createHash('sha256').update(content).digest();

/**
 * Serializes the lines that describe one segment: for each sample, its size, and what differs from the previous one. A checksum of
 * four bytes follows.
 */
export function serializeLines(
  { video, audio }: Pick<IndexedPeriod, 'video' | 'audio'>,
  segment: SegmentSpan,
): Buffer {
  const lines = new NumberWriter();
  writeSpan(lines, video?.samples, segment.video);
  writeSpan(lines, audio?.samples, segment.audio);
  const content = lines.toBuffer();
  return Buffer.concat([content, checksum(content).subarray(0, 4)]);
}

/** Flags that say which fields a line contains, stored in the low bits of its size. */
const KEY_FLAG = 1;
const POSITION_FLAG = 2;
const DURATION_FLAG = 4;
const SHIFT_FLAG = 8;
const FLAG_VALUES = 16;

function writeSpan(
  lines: NumberWriter,
  list: SampleList | undefined,
  { first, end }: SegmentSpan['video'],
): void {
  lines.writeNumber(list ? end - first : 0);
  if (!list || end === first) return;
  lines.writeNumber(list.dts[first] ?? 0);
  const previous = { offset: 0, entry: 0, duration: 0, shift: 0 };
  for (let sample = first; sample < end; sample++) {
    const [offset, size, entry] = [list.offset[sample] ?? 0, list.size[sample] ?? 0, list.entry[sample] ?? 0];
    const [duration, shift] = [list.duration[sample] ?? 0, list.shift[sample] ?? 0];
    const hasMoved = offset !== previous.offset || entry !== previous.entry;
    const flags =
      (list.key[sample] === 1 ? KEY_FLAG : 0) +
      (hasMoved ? POSITION_FLAG : 0) +
      (duration === previous.duration ? 0 : DURATION_FLAG) +
      (shift === previous.shift ? 0 : SHIFT_FLAG);
    lines.writeNumber(size * FLAG_VALUES + flags);
    if (hasMoved) lines.writeNumber(entry).writeSignedNumber(offset - previous.offset);
    if (duration !== previous.duration) lines.writeNumber(duration);
    if (shift !== previous.shift) lines.writeSignedNumber(shift);
    Object.assign(previous, { offset: offset + size, entry, duration, shift });
  }
}

/**
 * The lines of one segment.
 * @throws IndexError if they are damaged
 */
export async function readLines(
  source: ByteSource,
  { linesAt, linesBytes }: LinesRange,
): Promise<SegmentLines> {
  const data = await source.read(linesAt, linesBytes);
  const content = data.subarray(0, -4);
  if (data.length < linesBytes || checksum(content).compare(data, data.length - 4, data.length, 0, 4) !== 0)
    throw new IndexError('a segment of it is damaged');
  const lines = new NumberReader(content);
  return { video: readSpan(lines), audio: readSpan(lines) };
}

function readSpan(lines: NumberReader): SampleList {
  const count = lines.readNumber();
  // Each sample takes at least one byte.
  if (count > lines.bytesLeft) throw new IndexError('a segment of it claims too many samples');
  const list = new SampleList({ samples: MAX_SAMPLES, fileSize: Infinity });
  if (count === 0) return list;
  list.reserve(count);
  let dts = lines.readNumber();
  let [offset, entry, duration, shift] = [0, 0, 0, 0];
  for (let sample = 0; sample < count; sample++) {
    const line = lines.readNumber();
    const flags = line % FLAG_VALUES;
    const size = (line - flags) / FLAG_VALUES;
    if ((flags & POSITION_FLAG) !== 0) {
      entry = lines.readNumber();
      offset += lines.readSignedNumber();
    }
    if ((flags & DURATION_FLAG) !== 0) duration = lines.readNumber();
    if ((flags & SHIFT_FLAG) !== 0) shift = lines.readSignedNumber();
    list.push({ offset, size, dts, duration, shift, key: (flags & KEY_FLAG) !== 0, entry });
    offset += size;
    dts += duration;
  }
  return list;
}
