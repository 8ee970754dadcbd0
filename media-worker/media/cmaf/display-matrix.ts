import { boxAt, boxesIn } from './read-boxes';

const pictureSizeBytes = 8;
const matrixBytes = 36;

/**
 * Writes the display matrix into an init segment. Without it, portrait video of a phone is shown
 * sideways.
 * @param matrix nine numbers (ISO/IEC 14496-12 §8.3.2)
 * @throws Error if the init segment has no video track
 */
export function withDisplayMatrix(init: Buffer, matrix: readonly number[]): Buffer {
  const rotated = Buffer.from(init);
  const moov = boxAt(rotated, ['moov']);
  for (const trak of boxesIn(rotated, moov.start, moov.end)) {
    if (trak.type !== 'trak') continue;
    const hdlr = boxAt(rotated, ['mdia', 'hdlr'], trak);
    if (rotated.toString('latin1', hdlr.start + 8, hdlr.start + 12) !== 'vide') continue;
    // The matrix precedes width and height, the last fields of the track header (ISO/IEC 14496-12 §8.3.2).
    const start = boxAt(rotated, ['tkhd'], trak).end - pictureSizeBytes - matrixBytes;
    for (const [index, number] of matrix.entries()) rotated.writeInt32BE(number, start + index * 4);
    return rotated;
  }
  throw new Error('The init segment has no video track');
}
