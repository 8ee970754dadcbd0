import type { SequenceRange } from './receive-buffer';

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
  for (let at = 0; at + 4 <= body.length; at += 4) {
    const word = body.readUInt32BE(at);
    const isRange = word >= RANGE_BIT && at + 8 <= body.length;
    const from = word & 0x7fff_ffff;
    ranges.push({ from, to: isRange ? body.readUInt32BE(at + 4) & 0x7fff_ffff : from });
    if (isRange) at += 4;
  }
  return ranges;
}
