import { apng, type Container, gif } from '@/lib/core/media/container';
import { undecodableAnimationMessage } from '@/lib/core/media/not-media';
import type { ByteSource } from '@/media-worker/vod/index/byte-source';

/** Bytes from which the format is detected. */
const HEAD_BYTES = 64;
/** Bytes of a GIF that are read at once. */
const WINDOW_BYTES = 65_536;
/** Size of the data of a PNG frame control chunk, the longest one that is parsed. */
const FRAME_CONTROL_BYTES = 26;
/** Maximum number of PNG chunks, and of GIF blocks before the second frame. */
const MAX_BLOCKS = 1_000_000;

/**
 * Detects an animated picture.
 * @returns the container of a GIF or APNG with at least two frames; the reason of the rejection of an animation that cannot be
 * decoded; null for other files
 */
export async function detectAnimation(source: ByteSource): Promise<Container | string | null> {
  const head = (await source.read(0, HEAD_BYTES)).toString('latin1');
  if (/^GIF8[79]a/.test(head)) return (await hasSecondFrame(source)) ? gif : null;
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return (await isAnimatedPng(source)) ? apng : null;
  // The animation flag of the extended header (RFC 9649 §2.7).
  const isAnimatedWebp = head.startsWith('WEBPVP8X', 8) && ((head.codePointAt(20) ?? 0) & 2) !== 0;
  return isAnimatedWebp ? undecodableAnimationMessage('WebP') : null;
}

/** Whether a PNG has an animation control chunk that announces several frames (https://www.w3.org/TR/png-3/#acTL-chunk). */
async function isAnimatedPng(source: ByteSource): Promise<boolean> {
  for await (const { type, data } of pngChunks(source)) {
    if (type === 'acTL' && data.length >= 4) return data.readUInt32BE(0) > 1;
    if (type === 'IDAT') return false;
  }
  return false;
}

/** Frames per second that ffmpeg uses for frames of an APNG without a delay. */
const DEFAULT_APNG_FPS = 15;

/** The duration of an APNG in seconds, from its frame control chunks (https://www.w3.org/TR/png-3/#fcTL-chunk). */
export async function readApngSeconds(source: ByteSource): Promise<number> {
  let seconds = 0;
  for await (const { type, data } of pngChunks(source)) {
    if (type !== 'fcTL' || data.length < 24) continue;
    // 0 ticks per second means 100.
    const [delayTicks, ticksPerSecond] = [data.readUInt16BE(20), data.readUInt16BE(22) || 100];
    seconds += delayTicks === 0 ? 1 / DEFAULT_APNG_FPS : delayTicks / ticksPerSecond;
  }
  return seconds;
}

/** The chunks of a PNG after its signature of 8 bytes, with the first bytes of their data. */
async function* pngChunks(source: ByteSource): AsyncGenerator<{ type: string; data: Buffer }> {
  for (let [chunkStart, chunkCount] = [8, 0]; chunkCount < MAX_BLOCKS; chunkCount++) {
    const head = await source.read(chunkStart, 8 + FRAME_CONTROL_BYTES);
    if (head.length < 8) return;
    const length = head.readUInt32BE(0);
    yield { type: head.toString('latin1', 4, 8), data: head.subarray(8, 8 + length) };
    // Length and type before the data, and a checksum after it, have four bytes each.
    chunkStart += 12 + length;
  }
}

/** First bytes of GIF blocks. */
const IMAGE_DESCRIPTOR = 0x2c;
const EXTENSION = 0x21;

/** Whether a GIF has a second image (https://www.w3.org/Graphics/GIF/spec-gif89a.txt). */
async function hasSecondFrame(source: ByteSource): Promise<boolean> {
  const reader = new ByteReader(source);
  // The flags say whether a color table follows, and the binary logarithm of its number of colors, minus one.
  const colorTableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let blockStart = 13 + colorTableBytes(await reader.byteAt(10));
  for (let [imageCount, blockCount] = [0, 0]; blockCount < MAX_BLOCKS; blockCount++) {
    const blockType = await reader.byteAt(blockStart);
    if (blockType === IMAGE_DESCRIPTOR) {
      imageCount += 1;
      if (imageCount === 2) return true;
      // The data follows the color table and the code size.
      blockStart += 10 + colorTableBytes(await reader.byteAt(blockStart + 9)) + 1;
    } else if (blockType === EXTENSION) blockStart += 2;
    else return false;
    // Skip the data: sub-blocks, each after a byte with its length, up to a sub-block of length 0.
    let subBlockBytes = await reader.byteAt(blockStart);
    for (; subBlockBytes > 0; subBlockBytes = await reader.byteAt(blockStart))
      blockStart += subBlockBytes + 1;
    blockStart += 1;
  }
  return false;
}

/** Single bytes of a file, which are read a window at a time. */
class ByteReader {
  readonly #source: ByteSource;
  #start = 0;
  #window = Buffer.alloc(0);

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** The byte at a position; 0 after the end of the file. */
  async byteAt(position: number): Promise<number> {
    if (position < this.#start || position >= this.#start + this.#window.length) {
      this.#window = Buffer.from(await this.#source.read(position, WINDOW_BYTES));
      this.#start = position;
    }
    return this.#window[position - this.#start] ?? 0;
  }
}
