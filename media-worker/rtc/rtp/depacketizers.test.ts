import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readObus } from '@/media-worker/media/cmaf/obu';
import { packetizeH264, createStapA } from '@/media-worker/rtc/testing/rtp';
import { Av1Depacketizer } from './av1-depacketizer';
import { H264Depacketizer } from './h264-depacketizer';
import { HevcDepacketizer } from './hevc-depacketizer';

/** A unit of H.264: an IDR slice, another slice, SPS, PPS or SEI, by its first byte. */
const h264Unit = fc
  .tuple(fc.constantFrom(0x65, 0x41, 0x67, 0x68, 0x06), fc.uint8Array({ minLength: 1, maxLength: 400 }))
  .map(([firstByte, remainingBytes]) => Buffer.concat([Buffer.from([firstByte]), remainingBytes]));

describe('H.264', () => {
  test('is assembled from aggregates of small units and fragments of large ones', () => {
    const fragmentation = fc.tuple(
      fc.array(h264Unit, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 2, max: 100 }),
    );
    fc.assert(
      fc.property(fragmentation, ([units, size]) => {
        const depacketizer = new H264Depacketizer();
        const [small, large] = [
          units.filter((unit) => unit.length < size),
          units.filter((unit) => unit.length >= size),
        ];
        const payloads = [
          ...(small.length > 0 ? [createStapA(small)] : []),
          ...large.flatMap((unit) => packetizeH264(unit, size)),
        ];
        expect(payloads.every((payload) => depacketizer.push(payload))).toBe(true);
        expect(depacketizer.takeUnits()).toEqual([...small, ...large]);
      }),
    );
  });

  test('with a missing fragment is dropped, and the next frame is complete again', () => {
    const depacketizer = new H264Depacketizer();
    const unit = Buffer.alloc(300, 0x65);
    const fragments = packetizeH264(unit, 100);
    const results = fragments.filter((_, index) => index !== 0).map((payload) => depacketizer.push(payload));
    expect(results).toContain(false);
    depacketizer.takeUnits();
    expect(depacketizer.push(fragments[0] ?? unit)).toBe(true);
    expect(depacketizer.takeUnits()).toBeNull();
    for (const fragment of fragments) depacketizer.push(fragment);
    expect(depacketizer.takeUnits()).toEqual([unit]);
  });
});

describe('HEVC', () => {
  test('is assembled from single units, aggregates and fragments', () => {
    const depacketizer = new HevcDepacketizer();
    const [vps, sps, slice] = [
      Buffer.from('4001aa', 'hex'),
      Buffer.from('4201bbcc', 'hex'),
      Buffer.from('260102030405', 'hex'),
    ];
    // RFC 7798 §4.4: payload type 48 is an aggregate with a length before each unit. Type 49 is a fragment, whose third byte has
    // the start bit (0x80) or end bit (0x40) and the type of the unit.
    const aggregate = Buffer.concat([Buffer.from('60010003', 'hex'), vps, Buffer.from('0004', 'hex'), sps]);
    const fragments = [Buffer.from('6201930203', 'hex'), Buffer.from('6201530405', 'hex')];
    expect([aggregate, ...fragments].map((payload) => depacketizer.push(payload))).toEqual([
      true,
      true,
      true,
    ]);
    expect(depacketizer.takeUnits()).toEqual([vps, sps, slice]);
  });
});

describe('AV1', () => {
  const delimiter = Buffer.from('1000', 'hex');
  const frame = Buffer.from('30aabbccdd', 'hex');

  test('is assembled with sizes, and without temporal delimiters', () => {
    const depacketizer = new Av1Depacketizer();
    // Aggregation headers of the RTP payload format for AV1. 0x60: two elements, of which the last one continues in the next
    // packet. 0x90: one element, which continues that of the previous packet.
    const firstPacket = Buffer.concat([
      Buffer.from([0x60, delimiter.length]),
      delimiter,
      frame.subarray(0, 3),
    ]);
    const secondPacket = Buffer.concat([Buffer.from([0x90]), frame.subarray(3)]);
    expect(depacketizer.push(firstPacket)).toBe(true);
    expect(depacketizer.push(secondPacket)).toBe(true);
    const unit = Buffer.concat(depacketizer.takeUnits() ?? []);
    // OBU type 6 is a frame.
    expect([...readObus(unit)].map(({ type, payload }) => [type, payload.toString('hex')])).toEqual([
      [6, 'aabbccdd'],
    ]);
  });
});

test.each([
  ['H.264', () => new H264Depacketizer()],
  ['HEVC', () => new HevcDepacketizer()],
  ['AV1', () => new Av1Depacketizer()],
])('any payloads of %s are accepted or rejected without an error', (_, create) => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 20 }), (payloads) => {
      const depacketizer = create();
      for (const payload of payloads) {
        if (payload.length > 0) depacketizer.push(Buffer.from(payload));
      }
      depacketizer.takeUnits();
    }),
    { numRuns: 1_000 },
  );
});
