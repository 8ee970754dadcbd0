import { apng, type Container, gif } from '@/lib/core/media/container';
import { undecodableAnimationMessage } from '@/lib/core/media/not-media';
import type { ByteSource } from '@/media-worker/vod/index/byte-source';

const HEAD_BYTES = 64;
/** Bytes that are read at once. */
const WINDOW_BYTES = 65_536;
/** Maximum number of PNG chunks before the picture, and of GIF blocks before the second frame. */
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
  for (let [at, chunks] = [8, 0]; chunks < MAX_BLOCKS; chunks++) {
    const chunk = await source.read(at, 12);
    if (chunk.length < 12) return false;
    const type = chunk.toString('latin1', 4, 8);
    if (type === 'acTL') return chunk.readUInt32BE(8) > 1;
    if (type === 'IDAT') return false;
    at += 12 + chunk.readUInt32BE(0);
  }
  return false;
}

/** Whether a GIF has a second image (https://www.w3.org/Graphics/GIF/spec-gif89a.txt). */
async function hasSecondFrame(source: ByteSource): Promise<boolean> {
  const bytes = new Bytes(source);
  const tableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let at = 13 + tableBytes(await bytes.at(10));
  for (let [images, blocks] = [0, 0]; blocks < MAX_BLOCKS; blocks++) {
    const kind = await bytes.at(at);
    if (kind === 0x2c) {
      images += 1;
      if (images === 2) return true;
      // The data follows the color table and the code size.
      at += 10 + tableBytes(await bytes.at(at + 9)) + 1;
    } else if (kind === 0x21) at += 2;
    else return false;
    for (let length = await bytes.at(at); length > 0; length = await bytes.at(at)) at += length + 1;
    at += 1;
  }
  return false;
}

/** Single bytes of a file, which are read a window at a time. */
class Bytes {
  readonly #source: ByteSource;
  #start = 0;
  #window = Buffer.alloc(0);

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** The byte at a position; 0 after the end of the file. */
  async at(position: number): Promise<number> {
    if (position < this.#start || position >= this.#start + this.#window.length) {
      this.#window = Buffer.from(await this.#source.read(position, WINDOW_BYTES));
      this.#start = position;
    }
    return this.#window[position - this.#start] ?? 0;
  }
}
