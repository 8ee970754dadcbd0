import { expect, test } from 'vitest';
import { memorySource } from '@/media-worker/vod/index/testing/movie-file';
import { detectAnimation, readApngSeconds } from './animated-picture';

const bytes = (...values: number[]) => Buffer.from(values);
const text = (value: string) => Buffer.from(value, 'latin1');

/** An image of a GIF: a descriptor, and `blockCount` full sub-blocks of data. */
const gifImage = (blockCount: number, colorTable: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    bytes(0x2c, 0, 0, 0, 0, 2, 0, 2, 0, colorTable.length === 0 ? 0 : 0x80),
    ...[colorTable, bytes(2)],
    ...Array.from({ length: blockCount }, () => Buffer.concat([bytes(255), Buffer.alloc(255, 0x2c)])),
    bytes(0),
  ]);
const gifExtension = bytes(0x21, 0xf9, 4, 0, 10, 0, 0, 0);
const gifOf = (...images: readonly Buffer[]): Buffer =>
  Buffer.concat([
    text('GIF89a'),
    bytes(2, 0, 2, 0, 0x81, 0, 0),
    Buffer.alloc(12),
    ...images.flatMap((image) => [gifExtension, image]),
    bytes(0x3b),
  ]);

const pngChunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, text(type), data, Buffer.alloc(4)]);
};
const pngOf = (...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([text('\x89PNG\r\n\x1a\n'), pngChunk('IHDR', Buffer.alloc(13)), ...chunks]);
const colorProfile = pngChunk('iCCP', Buffer.alloc(5_000));
const imageData = pngChunk('IDAT', Buffer.alloc(100));
const animationControl = (frameCount: number) => pngChunk('acTL', bytes(0, 0, 0, frameCount, 0, 0, 0, 0));
const webpOf = (flags: number) => Buffer.concat([text('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0'), bytes(flags)]);

const detectFormat = async (file: Buffer) => {
  const animation = await detectAnimation(memorySource(file));
  return typeof animation === 'string' ? animation : (animation?.format ?? null);
};

test.each<[string, Buffer, string | null]>([
  ['a GIF with two frames', gifOf(gifImage(1), gifImage(1)), 'gif'],
  ['a GIF with a long first frame', gifOf(gifImage(1_000), gifImage(1)), 'gif'],
  [
    'a GIF with a color table for each frame',
    gifOf(gifImage(1, Buffer.alloc(6)), gifImage(1, Buffer.alloc(6))),
    'gif',
  ],
  ['a GIF with one frame', gifOf(gifImage(300)), null],
  ['a GIF that is cut off', gifOf(gifImage(300)).subarray(0, 400), null],
  ['an animated PNG', pngOf(colorProfile, animationControl(3), imageData), 'apng'],
  ['an animated PNG with one frame', pngOf(animationControl(1), imageData), null],
  ['a PNG', pngOf(colorProfile, imageData, animationControl(3)), null],
  ['a PNG that is cut off', pngOf(colorProfile).subarray(0, 1_000), null],
  ['an animated WebP', webpOf(2), 'the file is an animated picture (WebP), which cannot be converted'],
  ['a WebP', webpOf(16), null],
  ['another file', text('\0\0\0\x20ftypisom'), null],
  ['an empty file', Buffer.alloc(0), null],
])('the format of %s is detected', async (_, file, expected) =>
  expect(await detectFormat(file)).toBe(expected),
);

test('the duration of an animated PNG is the sum of its delays', async () => {
  const frameControl = (delayTicks: number, ticksPerSecond: number) =>
    pngChunk('fcTL', Buffer.concat([Buffer.alloc(20), bytes(0, delayTicks, 0, ticksPerSecond, 0, 0)]));
  const frames = [
    frameControl(50, 100),
    imageData,
    frameControl(3, 2),
    imageData,
    frameControl(25, 0),
    frameControl(0, 100),
  ];
  const seconds = await readApngSeconds(memorySource(pngOf(animationControl(4), ...frames)));
  expect(seconds).toBeCloseTo(0.5 + 1.5 + 0.25 + 1 / 15, 6);
});
