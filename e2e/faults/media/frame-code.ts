/**
 * A frame code is a row of 32 black and white blocks at the top of a frame, which stays readable after encoding. It contains
 * the numbers of the frame and of its source, so a decoded recording shows which frames it has and in which order.
 */

export const codeVideo = { width: 320, height: 180, framesPerSecond: 25 } as const;
/** Height of the row of blocks, in pixels. */
export const ROW_HEIGHT = 24;
/** Pixel rows that `readCode` reads: the middle of the blocks, away from their blurred edges. */
export const sampledRows = { from: 4, count: 16 } as const;

const BLOCKS = 32;
const blockWidth = codeVideo.width / BLOCKS;
const WHITE = 235;
const BLACK = 16;

export interface FrameCode {
  /** Number of the frame in its source, modulo 2^16. */
  readonly frame: number;
  /** Number of the source, modulo 2^8. */
  readonly source: number;
}

/**
 * Packs a code into 32 bits: 16 bits for the frame, 8 for the source, and 8 for a checksum that detects every single-bit
 * error.
 */
function packCode({ frame, source }: FrameCode): number {
  const rotateByte = (byte: number, by: number) => (byte << by) | (byte >>> (8 - by));
  const checksum = (frame ^ rotateByte((frame >>> 8) & 0xff, 3) ^ rotateByte(source & 0xff, 5) ^ 0xa6) & 0xff;
  return (((frame & 0xffff) << 16) | ((source & 0xff) << 8) | checksum) >>> 0;
}

/** Draws the row of blocks as 8-bit gray pixels, `codeVideo.width` by `ROW_HEIGHT`. */
export function drawCode(code: FrameCode): Buffer {
  const word = packCode(code);
  const line = Buffer.alloc(codeVideo.width);
  for (let block = 0; block < BLOCKS; block += 1) {
    const bitValue = (word >>> (BLOCKS - 1 - block)) & 1;
    line.fill(bitValue ? WHITE : BLACK, block * blockWidth, (block + 1) * blockWidth);
  }
  return Buffer.concat(Array.from({ length: ROW_HEIGHT }, () => line));
}

/**
 * Reads the code from `sampledRows.count` rows of gray pixels.
 * @returns null if the checksum is wrong
 */
export function readCode(pixels: Buffer): FrameCode | null {
  let word = 0;
  for (let block = 0; block < BLOCKS; block += 1) {
    let sum = 0;
    // The center of each block: 4 by 8 pixels.
    for (let y = 4; y < 12; y += 1)
      for (let x = 3; x < 7; x += 1) sum += pixels[y * codeVideo.width + block * blockWidth + x] ?? 0;
    word = (word << 1) | (sum / 32 > (WHITE + BLACK) / 2 ? 1 : 0);
  }
  word >>>= 0;
  const code = { frame: word >>> 16, source: (word >>> 8) & 0xff };
  return packCode(code) === word ? code : null;
}

/** Two consecutive frames whose numbers do not follow each other; -1 for an unreadable frame. */
export interface Jump {
  readonly from: number;
  readonly to: number;
}

/** Finds all frames whose number does not follow the previous one. The number of an unreadable frame is -1. */
export function findJumps(frames: readonly (FrameCode | null)[]): Jump[] {
  const jumps: Jump[] = [];
  let previous: FrameCode | null | undefined;
  for (const code of frames) {
    if (previous !== undefined && (code?.frame ?? -1) !== (previous?.frame ?? -1) + 1)
      jumps.push({ from: previous?.frame ?? -1, to: code?.frame ?? -1 });
    previous = code;
  }
  return jumps;
}
