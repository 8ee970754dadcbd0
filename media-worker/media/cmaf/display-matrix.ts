import { boxAt, boxesIn } from './read-boxes';

const pictureSizeBytes = 8;
const matrixBytes = 36;

/**
 * Writes the display matrix into an init segment; without it, portrait video of a phone is shown sideways.
 * @param matrix
 * nine numbers, as returned by `displayMatrix`
 * @throws Error if the init segment has no video track
 */
export function withDisplayMatrix(init: Buffer, matrix: readonly number[]): Buffer {
  const rotatedInit = Buffer.from(init);
  const moov = boxAt(rotatedInit, ['moov']);
  for (const trak of boxesIn(rotatedInit, moov.start, moov.end)) {
    if (trak.type !== 'trak') continue;
    const hdlr = boxAt(rotatedInit, ['mdia', 'hdlr'], trak);
    if (rotatedInit.toString('latin1', hdlr.start + 8, hdlr.start + 12) !== 'vide') continue;
    // The matrix precedes width and height, the last fields of the track header (ISO/IEC 14496-12 §8.3.2).
    const start = boxAt(rotatedInit, ['tkhd'], trak).end - pictureSizeBytes - matrixBytes;
    for (const [index, number] of matrix.entries()) rotatedInit.writeInt32BE(number, start + index * 4);
    return rotatedInit;
  }
  throw new Error('The init segment has no video track');
}
