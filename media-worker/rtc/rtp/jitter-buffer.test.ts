import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRtpPacket } from '@/media-worker/rtc/testing/rtp';
import { JitterBuffer } from './jitter-buffer';
import { parseRtp, type RtpPacket } from './rtp-packet';

const limits = { maxWaitMs: 500, requestIntervalMs: 60, maxPackets: 64 };

function createBuffer() {
  const output: (number | 'gap')[] = [];
  const buffer = new JitterBuffer(
    { onPacket: ({ sequence }) => output.push(sequence), onGap: () => output.push('gap') },
    limits,
  );
  return {
    buffer,
    output,
    push: (sequence: number, monotonicMs = 0) => buffer.push(createPacket(sequence), monotonicMs),
  };
}

function createPacket(sequence: number): RtpPacket {
  const packet = parseRtp(createRtpPacket({ sequence }));
  if (!packet) throw new Error('not read');
  return packet;
}

describe('packets', () => {
  test('in order pass immediately, including across a wrap', () => {
    const { push, output } = createBuffer();
    for (const sequence of [65_534, 65_535, 0, 1]) push(sequence);
    expect(output).toEqual([65_534, 65_535, 0, 1]);
  });

  test('that arrive late are reordered, and duplicates pass once', () => {
    const { push, output } = createBuffer();
    for (const sequence of [1, 3, 3, 2, 2, 4]) push(sequence);
    expect(output).toEqual([1, 2, 3, 4]);
  });

  test('that are missing are requested at once and again after 60 ms, and given up after 500 ms', () => {
    const { buffer, push, output } = createBuffer();
    push(1, 0);
    push(4, 10);
    expect(buffer.tick(10)).toEqual([2, 3]);
    expect(buffer.tick(40)).toEqual([]);
    expect(buffer.tick(80)).toEqual([2, 3]);
    push(2, 90);
    expect(buffer.tick(150)).toEqual([3]);
    expect(buffer.tick(520)).toEqual([]);
    expect(output).toEqual([1, 2, 'gap', 4]);
    expect(buffer.lostCount).toBe(1);
    // One of four packets is lost; the second call counts from the first one.
    expect(buffer.takeLostRatio()).toBe(0.25);
    expect(buffer.takeLostRatio()).toBe(0);
  });

  test('after a large jump of the sequence number pass, after a gap', () => {
    const { push, output } = createBuffer();
    push(1);
    push(30_000);
    push(30_001);
    expect(output).toEqual([1, 'gap', 30_000, 30_001]);
  });
});

test('with any loss, duplication or delay, packets pass in order, and each once', () => {
  const arrivals = fc.array(fc.record({ offset: fc.integer({ min: 0, max: 300 }), ms: fc.nat(100) }), {
    maxLength: 300,
  });
  fc.assert(
    fc.property(fc.nat(65_535), arrivals, (start, receivedPackets) => {
      const { buffer, output, push } = createBuffer();
      let monotonicMs = 0;
      for (const { offset, ms } of receivedPackets) {
        monotonicMs += ms;
        push((start + offset) % 65_536, monotonicMs);
        buffer.tick(monotonicMs);
      }
      buffer.tick(monotonicMs + limits.maxWaitMs + 1);
      const deliveredOffsets = output
        .filter((entry) => entry !== 'gap')
        .map((sequence) => (sequence - start + 65_536) % 65_536);
      const firstOffset = receivedPackets[0]?.offset ?? 0;
      expect(deliveredOffsets).toEqual([...new Set(deliveredOffsets)].sort((a, b) => a - b));
      // The newest packet has been delivered, so no packet waits forever.
      const newestOffset = receivedPackets.reduce(
        (newestSoFar, { offset }) => Math.max(newestSoFar, offset),
        firstOffset,
      );
      if (receivedPackets.length > 0) expect(deliveredOffsets.at(-1)).toBe(newestOffset);
    }),
  );
});

test('a missing packet is given up when more than 64 packets wait behind it', () => {
  const { push, output } = createBuffer();
  push(0);
  for (let sequence = 2; sequence < 200; sequence += 1) push(sequence);
  expect(output.slice(0, 3)).toEqual([0, 'gap', 2]);
});
