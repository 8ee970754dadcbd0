import { expect, test } from 'vitest';
import { makeThumbnails, findThumbnailSource } from './make-thumbnails';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import { encode } from '@/media-worker/live/session/testing/live-stream';

/** Width and height in the frame header of a JPEG (segment SOF0 or SOF2), before which other segments are skipped. */
function sizeOf(jpeg: Buffer): [number, number] {
  for (let offset = 2; offset < jpeg.length; offset += 2 + jpeg.readUInt16BE(offset + 2)) {
    if ([0xc0, 0xc2].includes(jpeg.readUInt8(offset + 1)))
      return [jpeg.readUInt16BE(offset + 7), jpeg.readUInt16BE(offset + 5)];
  }
  throw new Error('no frame header');
}

test('one process makes thumbnails of several streams, and a broken one does not affect the others', async () => {
  const keyframeArguments = ['-force_key_frames', 'expr:gte(t,n_forced*2)'];
  const media = await Promise.all([
    encode({ size: '320x180', seconds: 3, ffmpegArguments: [...keyframeArguments, '-bf', '2'] }),
    encode({ size: '180x320', seconds: 3, ffmpegArguments: keyframeArguments }),
  ]);
  const sources = media.map((packets) => {
    const packaging = new Packaging();
    packaging.begin(packets);
    const source = findThumbnailSource(packaging.renditions);
    if (!source) throw new Error('no picture');
    return source;
  });
  const [init, ...partChunks] = sources[0]?.bytes ?? [];
  const part = Buffer.concat(partChunks);
  if (!init) throw new Error('no bytes');
  const brokenSource = {
    ...sources[0],
    name: 'broken',
    width: 320,
    height: 180,
    bytes: [init, part.fill(0x41, 600)],
  };
  const images = await makeThumbnails([sources[0] ?? brokenSource, brokenSource, sources[1] ?? brokenSource]);
  const sizes = images.map((image) => image && sizeOf(image));
  expect(sizes[0]).toEqual([320, 180]);
  expect(sizes[2]).toEqual([180, 320]);
  expect(await makeThumbnails([{ ...brokenSource, bytes: [Buffer.from('nothing that plays')] }])).toEqual([
    null,
  ]);
});
