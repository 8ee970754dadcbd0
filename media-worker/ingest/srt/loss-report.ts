import type { SequenceRange } from './receive-buffer';

/** Marks the first number of a range. */
const RANGE_BIT = 0x8000_0000;

/**
 * Formats the body of a loss report (draft-sharabayko-srt-01 appendix A). A range is a marked first number and a
 * last number; any other number stands alone.
 */
export function formatLossReport(ranges: readonly SequenceRange[]): Buffer {
  const losses = ranges.flatMap(({ from, to }) => (from === to ? [from] : [(from | RANGE_BIT) >>> 0, to]));
  const body = Buffer.allocUnsafe(4 * losses.length);
  for (const [index, word] of losses.entries()) body.writeUInt32BE(word, 4 * index);
  return body;
}

/** Parses the body of a loss report. */
export function parseLossReport(body: Buffer): SequenceRange[] {
  const ranges: SequenceRange[] = [];
  for (let offset = 0; offset + 4 <= body.length; offset += 4) {
    const word = body.readUInt32BE(offset);
    const isRange = word >= RANGE_BIT && offset + 8 <= body.length;
    const from = word & 0x7fff_ffff;
    ranges.push({ from, to: isRange ? body.readUInt32BE(offset + 4) & 0x7fff_ffff : from });
    if (isRange) offset += 4;
  }
  return ranges;
}
