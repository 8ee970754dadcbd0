import { boxAt, boxesIn } from '../cmaf/read-boxes';

const pictureSizeBytes = 8;
const matrixBytes = 36;

/**
 * Writes into an init segment how its picture is turned: ffmpeg's HLS muxer leaves that out, and a phone's upright video
 * would be shown lying down.
 * @param matrix nine numbers, as `displayMatrix` gives them
 * @throws Error for what is no init segment with a picture
 */
export function turnPicture(init: Buffer, matrix: readonly number[]): Buffer {
  const turned = Buffer.from(init);
  const moov = boxAt(turned, ['moov']);
  for (const trak of boxesIn(turned, moov.start, moov.end)) {
    if (trak.type !== 'trak') continue;
    const hdlr = boxAt(turned, ['mdia', 'hdlr'], trak);
    if (turned.toString('latin1', hdlr.start + 8, hdlr.start + 12) !== 'vide') continue;
    // The matrix stands before width and height, which end the track header (ISO/IEC 14496-12 §8.3.2).
    const start = boxAt(turned, ['tkhd'], trak).end - pictureSizeBytes - matrixBytes;
    for (const [index, number] of matrix.entries()) turned.writeInt32BE(number, start + index * 4);
    return turned;
  }
  throw new Error('There is no picture in the init segment');
}
