import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFeedback, createRtpPacket, createSenderReport } from './rtcp';

/** Builds one RTCP packet with this count, type and content. */
function buildRtcp(count: number, type: number, content: Buffer): Buffer {
  const header = Buffer.from([0x80 | count, type, 0, 0]);
  header.writeUInt16BE(content.length / 4, 2);
  return Buffer.concat([header, content]);
}

/**
 * Builds a receiver report about one source.
 * @param lostIn256ths fraction of packets lost, in 256ths
 */
function buildReceiverReport(lostIn256ths: number): Buffer {
  const content = Buffer.alloc(28);
  content.writeUInt8(lostIn256ths, 8);
  content.writeUInt32BE(70_001, 12);
  return buildRtcp(1, 201, content);
}

const pliPacket = buildRtcp(1, 206, Buffer.alloc(8));
const rembPacket = buildRtcp(15, 206, Buffer.alloc(16));
const nackPacket = buildRtcp(1, 205, Buffer.alloc(12));

describe('feedback of a viewer', () => {
  test.each([
    ['a picture loss indication', pliPacket, { needsKeyframe: true, lostRatio: null, highestSequence: null }],
    [
      'a full intra request',
      buildRtcp(4, 206, Buffer.alloc(16)),
      { needsKeyframe: true, lostRatio: null, highestSequence: null },
    ],
    ['a bandwidth estimate', rembPacket, { needsKeyframe: false, lostRatio: null, highestSequence: null }],
    ['a NACK', nackPacket, { needsKeyframe: false, lostRatio: null, highestSequence: null }],
    [
      'a receiver report with a quarter lost',
      buildReceiverReport(64),
      { needsKeyframe: false, lostRatio: 0.25, highestSequence: 70_001 },
    ],
    [
      'several packets in one compound packet',
      Buffer.concat([buildReceiverReport(128), pliPacket]),
      { needsKeyframe: true, lostRatio: 0.5, highestSequence: 70_001 },
    ],
  ])('is parsed from %s', (_name, packet, feedback) => expect(parseFeedback(packet)).toEqual(feedback));

  test('of arbitrary bytes is parsed without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const { lostRatio } = parseFeedback(Buffer.from(bytes));
        expect(lostRatio === null || (lostRatio >= 0 && lostRatio < 1)).toBe(true);
      }),
    );
  });
});

test('a sender report pairs a wall clock with a timestamp', () => {
  const report = createSenderReport({
    ssrc: 7,
    wallClockMs: 1_700_000_000_500,
    timestamp: 96_000,
    packets: 3,
    bytes: 300,
  });
  expect(report.readUInt8(1)).toBe(200);
  expect(4 * (report.readUInt16BE(2) + 1)).toBe(report.length);
  expect(report.readUInt32BE(8)).toBe((1_700_000_000 + 2_208_988_800) % 2 ** 32);
  expect(report.readUInt32BE(12) / 2 ** 32).toBeCloseTo(0.5);
  expect([16, 20, 24].map((offset) => report.readUInt32BE(offset))).toEqual([96_000, 3, 300]);
});

test('an RTP packet has its header before the payload', () => {
  const packet = createRtpPacket(
    { payloadType: 111, sequence: 65_535, timestamp: 2 ** 32 - 1, ssrc: 9, marker: true },
    Buffer.from('opus'),
  );
  expect(packet.subarray(0, 12).toString('hex')).toBe('80efffffffffffff00000009');
  expect(packet.subarray(12).toString()).toBe('opus');
});
