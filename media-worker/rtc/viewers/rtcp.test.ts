import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFeedback, rtpPacket, senderReport } from './rtcp';

/** Builds one RTCP packet with this count, type and content. */
function rtcp(count: number, type: number, content: Buffer): Buffer {
  const head = Buffer.from([0x80 | count, type, 0, 0]);
  head.writeUInt16BE(content.length / 4, 2);
  return Buffer.concat([head, content]);
}

/** A receiver report about one source. @param share fraction lost, in 256ths */
function receiverReport(share: number): Buffer {
  const content = Buffer.alloc(28);
  content.writeUInt8(share, 8);
  content.writeUInt32BE(70_001, 12);
  return rtcp(1, 201, content);
}

const pictureLoss = rtcp(1, 206, Buffer.alloc(8));
const bandwidth = rtcp(15, 206, Buffer.alloc(16));
const nack = rtcp(1, 205, Buffer.alloc(12));

describe('feedback of a viewer', () => {
  test.each([
    [
      'a picture loss indication',
      pictureLoss,
      { needsKeyframe: true, lostRatio: null, highestSequence: null },
    ],
    [
      'a full intra request',
      rtcp(4, 206, Buffer.alloc(16)),
      { needsKeyframe: true, lostRatio: null, highestSequence: null },
    ],
    ['a bandwidth estimate', bandwidth, { needsKeyframe: false, lostRatio: null, highestSequence: null }],
    ['a NACK', nack, { needsKeyframe: false, lostRatio: null, highestSequence: null }],
    [
      'a receiver report with a quarter lost',
      receiverReport(64),
      { needsKeyframe: false, lostRatio: 0.25, highestSequence: 70_001 },
    ],
    [
      'several packets in one compound packet',
      Buffer.concat([receiverReport(128), pictureLoss]),
      { needsKeyframe: true, lostRatio: 0.5, highestSequence: 70_001 },
    ],
  ])('%s', (_name, packet, feedback) => expect(readFeedback(packet)).toEqual(feedback));

  test('of unknown types is parsed without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const { lostRatio } = readFeedback(Buffer.from(bytes));
        expect(lostRatio === null || (lostRatio >= 0 && lostRatio < 1)).toBe(true);
      }),
    );
  });
});

test('a sender report pairs a wall clock with a timestamp', () => {
  const report = senderReport({
    ssrc: 7,
    wallMs: 1_700_000_000_500,
    timestamp: 96_000,
    packets: 3,
    bytes: 300,
  });
  expect(report.readUInt8(1)).toBe(200);
  expect(4 * (report.readUInt16BE(2) + 1)).toBe(report.length);
  expect(report.readUInt32BE(8)).toBe((1_700_000_000 + 2_208_988_800) % 2 ** 32);
  expect(report.readUInt32BE(12) / 2 ** 32).toBeCloseTo(0.5);
  expect([16, 20, 24].map((at) => report.readUInt32BE(at))).toEqual([96_000, 3, 300]);
});

test('an RTP packet has its header before the payload', () => {
  const packet = rtpPacket(
    { payloadType: 111, sequence: 65_535, timestamp: 2 ** 32 - 1, ssrc: 9, marker: true },
    Buffer.from('opus'),
  );
  expect(packet.subarray(0, 12).toString('hex')).toBe('80efffffffffffff00000009');
  expect(packet.subarray(12).toString()).toBe('opus');
});
