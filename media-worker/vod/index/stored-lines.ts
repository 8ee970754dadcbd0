import { createHash } from 'node:crypto';
import type { ByteSource } from './byte-source';
import type { IndexedPeriod } from './make-index';
import { NumberReader, NumberWriter } from './numbers';
import { SampleList, maxSamples } from './sample-list';
import type { SegmentSpan } from './segment-spans';

/** An index that is damaged, or of another version of the program. It can be recreated from the file. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
}

/** Range of a segment's lines in the index. */
export interface LinesPlace {
  readonly linesAt: number;
  readonly linesBytes: number;
}

/** The lines of each track in one segment. */
export interface SegmentLines {
  readonly video: SampleList;
  readonly audio: SampleList;
}

export const checksum = (content: Buffer): Buffer => createHash('sha256').update(content).digest();

/** The lines that describe one segment. */
export function linesOf(
  { video, audio }: Pick<IndexedPeriod, 'video' | 'audio'>,
  segment: SegmentSpan,
): Buffer {
  const lines = new NumberWriter();
  writeSpan(lines, video?.samples, segment.video);
  writeSpan(lines, audio?.samples, segment.audio);
  const content = lines.buffer();
  return Buffer.concat([content, checksum(content).subarray(0, 4)]);
}

/** Flags of a line, stored with its size. */
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
  const before = { offset: 0, entry: 0, duration: 0, shift: 0 };
  for (let sample = first; sample < end; sample++) {
    const [offset, size, entry] = [list.offset[sample] ?? 0, list.size[sample] ?? 0, list.entry[sample] ?? 0];
    const [duration, shift] = [list.duration[sample] ?? 0, list.shift[sample] ?? 0];
    const moves = offset !== before.offset || entry !== before.entry;
    const flags =
      (list.key[sample] === 1 ? isKey : 0) +
      (moves ? movesOn : 0) +
      (duration === before.duration ? 0 : otherDuration) +
      (shift === before.shift ? 0 : otherShift);
    lines.number(size * flagValues + flags);
    if (moves) lines.number(entry).signedNumber(offset - before.offset);
    if (duration !== before.duration) lines.number(duration);
    if (shift !== before.shift) lines.signedNumber(shift);
    Object.assign(before, { offset: offset + size, entry, duration, shift });
  }
}

/** The lines of one segment. @throws IndexError if they are damaged */
export async function readLines(
  source: ByteSource,
  { linesAt, linesBytes }: LinesPlace,
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
  // Each sample takes at least one byte.
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
