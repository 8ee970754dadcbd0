/**
 * Layout of a picture that contains a timestamp: one block for each bit, lowest bit first. The blocks stay readable after
 * encoding.
 */
export const clockPicture = { width: 320, height: 180, blocks: 32, blockWidth: 10, blockHeight: 40 };

/** Draws a gray frame with `now` (Unix milliseconds, modulo 2^32) in its upper part. */
export function drawClock(now: number): Buffer {
  const { width, height, blocks, blockWidth, blockHeight } = clockPicture;
  const row = Buffer.alloc(width, 128);
  const value = now % 2 ** 32;
  for (let block = 0; block < blocks; block++) {
    const bitValue = Math.floor(value / 2 ** block) % 2;
    row.fill(bitValue ? 235 : 16, block * blockWidth, (block + 1) * blockWidth);
  }
  const frame = Buffer.alloc(width * height, 128);
  for (let line = 0; line < blockHeight; line++) row.copy(frame, line * width);
  return frame;
}
