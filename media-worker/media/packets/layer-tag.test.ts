import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FlvReader } from './flv-reader';
import { parseFlvTag } from './flv-tag';
import { encodeFlvHeader, encodeRelayTag } from './flv-writer';
import { encodeLayerTag, MAX_LAYERS, parseLayerTag } from './layer-tag';
import type { MediaPacket, VideoPacket } from './media-packet';

const layerFrame = fc
  .record({
    layer: fc.integer({ min: 1, max: MAX_LAYERS }),
    dts: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    compositionMs: fc.integer({ min: -1_000, max: 1_000 }),
    key: fc.boolean(),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 300 }),
  })
  .map(({ layer, dts, compositionMs, key, bytes }) => {
    const time = { dts, pts: dts + compositionMs };
    const packet: VideoPacket = {
      kind: 'video',
      codec: 'avc',
      role: 'frame',
      key,
      ...time,
      payload: Buffer.from(bytes),
    };
    return { layer, packet };
  });

const source: VideoPacket = {
  kind: 'video',
  codec: 'avc',
  role: 'frame',
  key: true,
  dts: 40,
  pts: 40,
  payload: Buffer.from([0, 0, 0, 1, 0x65]),
};

describe('frames of layers in an FLV stream', () => {
  test('are read as they were written, beside those of the source, however the bytes arrive', () => {
    fc.assert(
      fc.property(
        fc.array(layerFrame, { maxLength: 8 }),
        fc.integer({ min: 1, max: 400 }),
        (frames, size) => {
          const tags = frames.map(({ layer, packet }) => encodeLayerTag(layer, packet) ?? Buffer.alloc(0));
          const stream = Buffer.concat([
            encodeFlvHeader({ video: true, audio: true }),
            ...tags.flatMap((tag) => [encodeRelayTag(source) ?? Buffer.alloc(0), tag]),
          ]);
          const [sources, layers]: [MediaPacket[], typeof frames] = [[], []];
          const reader = new FlvReader(
            (packet) => sources.push(packet),
            (layer, packet) => layers.push({ layer, packet }),
          );
          for (let offset = 0; offset < stream.length; offset += size)
            reader.push(stream.subarray(offset, offset + size));
          expect(layers).toEqual(frames);
          expect(sources).toHaveLength(frames.length);
        },
      ),
    );
  });

  test('are skipped by parseFlvTag, which does not know layers', () => {
    fc.assert(
      fc.property(layerFrame, ({ layer, packet }) => {
        // Without the header of the tag, and the size after it.
        const body = encodeLayerTag(layer, packet)?.subarray(11, -4) ?? Buffer.alloc(0);
        expect(parseFlvTag(9, packet.dts, body)).toBeNull();
      }),
    );
  });

  test('of other codecs than H.264 are not written, and neither are configurations', () => {
    expect(encodeLayerTag(1, { ...source, codec: 'hevc' })).toBeNull();
    expect(encodeLayerTag(1, { ...source, role: 'config' })).toBeNull();
  });

  test('are parsed from any bytes without an exception, and have an allowed number', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.boolean(), (bytes, isLayerLike) => {
        const head = isLayerLike ? [0x96, 1, ...Buffer.from('avc1')] : [];
        const layer = parseLayerTag(0, Buffer.from([...head, ...bytes]))?.layer ?? 1;
        expect(layer >= 1 && layer <= MAX_LAYERS).toBe(true);
      }),
    );
  });
});
