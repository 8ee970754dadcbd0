import { findBox, readBoxes } from './read-boxes';

const PICTURE_SIZE_BYTES = 8;
const MATRIX_BYTES = 36;

/**
 * Writes the display matrix into an init segment. Without it, portrait video of a phone is shown
 * sideways.
 * @param matrix nine numbers (ISO/IEC 14496-12 §8.3.2)
 * @throws Error if the init segment has no video track
 */
export function withDisplayMatrix(init: Buffer, matrix: readonly number[]): Buffer {
  const rotatedInit = Buffer.from(init);
  const moov = findBox(rotatedInit, ['moov']);
  for (const trak of readBoxes(rotatedInit, moov.start, moov.end)) {
    if (trak.type !== 'trak') continue;
    const hdlr = findBox(rotatedInit, ['mdia', 'hdlr'], trak);
    if (rotatedInit.toString('latin1', hdlr.start + 8, hdlr.start + 12) !== 'vide') continue;
    // The matrix precedes width and height, the last fields of the track header (ISO/IEC 14496-12 §8.3.2).
    const start = findBox(rotatedInit, ['tkhd'], trak).end - PICTURE_SIZE_BYTES - MATRIX_BYTES;
    for (const [index, number] of matrix.entries()) rotatedInit.writeInt32BE(number, start + index * 4);
    return rotatedInit;
  }
  throw new Error('The init segment has no video track');
}
