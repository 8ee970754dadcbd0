import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRtpPacket, createTestReport } from '@/media-worker/rtc/testing/rtp';
import { createNack, createPli, parseRtcp, createReceiverReport } from './rtcp';
import { createUnwrapper, isRtcp, parseRtp } from './rtp-packet';

const randomBytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

describe('an RTP packet', () => {
  test('is parsed as it was sent', () => {
    const packet = {
      sequence: 65_535,
      timestamp: 4_000_000_000,
      payload: Buffer.from('abc'),
      marker: true,
      payloadType: 103,
      ssrc: 7,
    };
    expect(parseRtp(createRtpPacket(packet))).toEqual(packet);
    expect(isRtcp(createRtpPacket(packet))).toBe(false);
  });

  test('has its payload after CSRCs and extensions, and before its padding', () => {
    const packetWithoutExtras = createRtpPacket({ sequence: 1, payload: Buffer.from('abc') });
    const contributors = Buffer.alloc(8);
    const extension = Buffer.from([0xbe, 0xde, 0, 1, 1, 2, 3, 4]);
    const packet = Buffer.concat([
      packetWithoutExtras.subarray(0, 12),
      contributors,
      extension,
      Buffer.from('abc'),
      Buffer.from([0, 0, 3]),
    ]);
    // Version 2, padding, a header extension and two CSRCs.
    packet.writeUInt8(0x80 | 0x20 | 0x10 | 2, 0);
    expect(parseRtp(packet)?.payload.toString()).toBe('abc');
  });

  test('of random bytes is parsed or rejected without an error', () => {
    fc.assert(
      fc.property(randomBytes, (packet) => {
        const parsed = parseRtp(packet);
        expect((parsed?.payload.length ?? 0) <= packet.length).toBe(true);
        parseRtcp(packet);
        isRtcp(packet);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('counters continue past a wrap in both directions', () => {
  fc.assert(
    fc.property(
      fc.nat(100_000),
      fc.array(fc.integer({ min: -30_000, max: 30_000 }), { maxLength: 50 }),
      (start, steps) => {
        const unwrap = createUnwrapper(16);
        let expected = start;
        const wrapOffset = expected - unwrap(expected & 0xffff);
        for (const step of steps) {
          expected += step;
          expect(unwrap(((expected % 65_536) + 65_536) % 65_536) + wrapOffset).toBe(expected);
        }
      },
    ),
  );
});

describe('RTCP', () => {
  test('of a sender relates RTP timestamps to the wall clock', () => {
    const packet = createTestReport({ ssrc: 7, ntpMs: 3_900_000_000_250, rtpTime: 90_000 });
    expect(isRtcp(packet)).toBe(true);
    const [report] = parseRtcp(packet).reports;
    expect(report).toMatchObject({ ssrc: 7, rtpTime: 90_000 });
    expect(report?.ntpMs).toBeCloseTo(3_900_000_000_250, 3);
  });

  test('of several packets is parsed to its end', () => {
    // A BYE for the SSRCs 7 and 8 with a reason of three characters.
    const bye = Buffer.from([0x82, 203, 0, 3, 0, 0, 0, 7, 0, 0, 0, 8, 3, 98, 121, 101]);
    const packet = Buffer.concat([createTestReport({ ssrc: 7, ntpMs: 1, rtpTime: 1 }), bye]);
    expect(parseRtcp(packet)).toMatchObject({ reports: [{ ssrc: 7 }], endedSsrcs: [7, 8] });
  });

  test('of a receiver has the lengths that its headers declare, and the reported loss', () => {
    const block = {
      ssrc: 7,
      lostRatio: 0.25,
      lostCount: 3,
      highestSequence: 70_000,
      jitterTicks: 12.4,
      lastSenderReport: null,
    };
    const packets = [createReceiverReport(1, block), createNack(1, 7, [1, 2, 30]), createPli(1, 7)];
    for (const packet of packets) expect((packet.readUInt16BE(2) + 1) * 4).toBe(packet.length);
    // The fraction of lost packets is in 256ths (RFC 3550 §6.4.1).
    expect(packets[0]?.readUInt8(12)).toBe(64);
    expect(packets[0]?.readUInt32BE(16)).toBe(70_000);
  });

  test('with a NACK lists every missing packet once', () => {
    const missing = fc.uniqueArray(fc.nat(500), { maxLength: 60 }).map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(fc.nat(65_535), missing, (start, offsets) => {
        const sequences = offsets.map((offset) => (start + offset) % 65_536);
        const packet = createNack(1, 7, sequences);
        const listedSequences: number[] = [];
        for (let offset = 12; offset < packet.length; offset += 4) {
          const first = packet.readUInt16BE(offset);
          listedSequences.push(first);
          for (let bit = 0; bit < 16; bit += 1)
            if ((packet.readUInt16BE(offset + 2) & (1 << bit)) !== 0)
              listedSequences.push((first + bit + 1) % 65_536);
        }
        expect(listedSequences).toEqual(sequences);
      }),
    );
  });
});
