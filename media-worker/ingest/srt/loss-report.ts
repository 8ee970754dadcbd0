import type { SequenceRange } from './receive-buffer';

/** Marks the first number of a range. */
const RANGE_BIT = 0x8000_0000;

/**
 * Formats the body of a loss report (draft-sharabayko-srt-01 appendix A). A range is a marked first number and a
 * last number; any other number stands alone.
 */
export function formatLossReport(ranges: readonly SequenceRange[]): Buffer {
  const losses = ranges.flatMap(({ firstSequence, lastSequence }) =>
    firstSequence === lastSequence ? [firstSequence] : [(firstSequence | RANGE_BIT) >>> 0, lastSequence],
  );
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
    const firstSequence = word & 0x7fff_ffff;
    ranges.push({
      firstSequence,
      lastSequence: isRange ? body.readUInt32BE(offset + 4) & 0x7fff_ffff : firstSequence,
    });
    if (isRange) offset += 4;
  }
  return ranges;
}
