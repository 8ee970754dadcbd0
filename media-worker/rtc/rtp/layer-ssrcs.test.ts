import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRtpPacket, withHeaderExtension } from '@/media-worker/rtc/testing/rtp';
import { LayerSsrcs } from './layer-ssrcs';
import { parseRtp, readHeaderExtension } from './rtp-packet';

const extensionId = fc.integer({ min: 1, max: 14 });
const extensionValue = fc.uint8Array({ minLength: 1, maxLength: 16 }).map((bytes) => Buffer.from(bytes));

describe('a header extension', () => {
  test('is read among others, with one-byte and two-byte headers, and the payload stays', () => {
    fc.assert(
      fc.property(
        fc.dictionary(extensionId.map(String), extensionValue),
        fc.boolean(),
        extensionId,
        (extensions, isTwoByte, requestedId) => {
          const packetWithoutExtension = createRtpPacket({ sequence: 1, payload: Buffer.from('abc') });
          const packet = withHeaderExtension(packetWithoutExtension, extensions, isTwoByte);
          expect(readHeaderExtension(packet, requestedId)).toEqual(extensions[requestedId] ?? null);
          expect(parseRtp(packet)?.payload.toString()).toBe('abc');
        },
      ),
    );
  });

  test('of any bytes is read without an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), extensionId, (bytes, requestedId) => {
        const packet = Buffer.from([0x90, 0x60, ...bytes]);
        const readValue = readHeaderExtension(packet, requestedId);
        expect(readValue === null || readValue.length < packet.length).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the layer of a packet', () => {
  const createLayerSsrcs = () => new LayerSsrcs({ rids: ['h', 'l'], ridExtensionId: 10 });
  const packetOf = (ssrc: number, rid?: string) => {
    const packet = createRtpPacket({ sequence: 1, ssrc });
    return rid === undefined ? packet : withHeaderExtension(packet, { 10: Buffer.from(rid) });
  };

  test('is found by the RID, and later by the SSRC that had this RID', () => {
    const layers = createLayerSsrcs();
    expect(layers.layerOf(packetOf(7))).toBeNull();
    expect(layers.layerOf(packetOf(7, 'l'))).toBe(1);
    expect(layers.layerOf(packetOf(8, 'h'))).toBe(0);
    expect(layers.layerOf(packetOf(7))).toBe(1);
    expect(layers.layerOf(packetOf(8))).toBe(0);
  });

  test('has one SSRC at a time', () => {
    const layers = createLayerSsrcs();
    layers.layerOf(packetOf(7, 'l'));
    expect(layers.layerOf(packetOf(9, 'l'))).toBe(1);
    expect(layers.layerOf(packetOf(7))).toBeNull();
  });

  test('is null for an unknown RID and for a short packet', () => {
    expect(createLayerSsrcs().layerOf(packetOf(7, 'x'))).toBeNull();
    expect(createLayerSsrcs().layerOf(Buffer.from([0x80, 0x60]))).toBeNull();
  });
});
