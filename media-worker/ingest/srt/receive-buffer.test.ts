import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLossReport, parseLossReport } from './loss-report';
import { ReceiveBuffer, type SequenceRange } from './receive-buffer';
import { sequenceAfter, sequenceDistance } from './sequence';

/** Any first sequence number, often one shortly before the wrap. */
const anyFirstSequence = fc.oneof(fc.integer({ min: 2 ** 31 - 40, max: 2 ** 31 - 1 }), fc.nat(2 ** 31 - 1));

const rangesOf = (sequences: readonly number[]): SequenceRange[] => {
  const ranges: { firstSequence: number; lastSequence: number }[] = [];
  for (const sequence of sequences) {
    const last = ranges.at(-1);
    if (last && sequenceAfter(last.lastSequence, 1) === sequence) last.lastSequence = sequence;
    else ranges.push({ firstSequence: sequence, lastSequence: sequence });
  }
  return ranges;
};

const takeAll = (buffer: ReceiveBuffer<number>): number[] => {
  const items: number[] = [];
  for (let item = buffer.take(); item !== null; item = buffer.take()) items.push(item);
  return items;
};

describe('sequence numbers', () => {
  it('count across the wrap', () => {
    fc.assert(
      fc.property(
        anyFirstSequence,
        fc.integer({ min: -(2 ** 30), max: 2 ** 30 - 1 }),
        (firstSequence, steps) => {
          expect(sequenceDistance(firstSequence, sequenceAfter(firstSequence, steps))).toBe(steps);
        },
      ),
    );
  });

  it('are the same after a loss report with their ranges was formatted and parsed', () => {
    fc.assert(
      fc.property(
        anyFirstSequence,
        fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 20 }),
        (start, gaps) => {
          let lastSequence = start;
          const ranges = gaps.map(([skip, length]) => {
            const firstSequence = sequenceAfter(lastSequence, skip + 2);
            lastSequence = sequenceAfter(firstSequence, length);
            return { firstSequence, lastSequence };
          });
          expect(parseLossReport(formatLossReport(ranges))).toEqual(ranges);
        },
      ),
    );
  });
});

describe('a receive buffer', () => {
  it('delivers each packet once and in order, in whatever order they arrive', () => {
    const arrivals = fc.array(fc.nat(30), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(anyFirstSequence, arrivals, (start, offsets) => {
        const buffer = new ReceiveBuffer<number>(start, 32);
        const arrivedOffsets = new Set<number>();
        const items: number[] = [];
        for (const offset of offsets) {
          const sequence = sequenceAfter(start, offset);
          buffer.put(sequence, sequence);
          arrivedOffsets.add(offset);
          items.push(...takeAll(buffer));
        }
        let contiguousCount = 0;
        while (arrivedOffsets.has(contiguousCount)) contiguousCount += 1;
        expect(items).toEqual(
          Array.from({ length: contiguousCount }, (_, offset) => sequenceAfter(start, offset)),
        );
        const highestOffset = Math.max(...offsets);
        const missingOffsets = Array.from({ length: highestOffset }, (_, offset) => offset).filter(
          (offset) => !arrivedOffsets.has(offset),
        );
        const sequences = missingOffsets.map((offset) => sequenceAfter(start, offset));
        expect(buffer.missingCount).toBe(missingOffsets.length);
        expect(buffer.listMissing(100)).toEqual(rangesOf(sequences));
        expect(buffer.freeSlots).toBe(32 - Math.max(0, highestOffset + 1 - contiguousCount));
      }),
    );
  });

  it('skips gaps, and packets that the sender drops', () => {
    const buffer = new ReceiveBuffer<number>(10, 16);
    for (const sequence of [12, 15]) buffer.put(sequence, sequence);
    expect(takeAll(buffer)).toEqual([]);
    expect(buffer.firstBuffered()).toBe(12);
    expect(buffer.skipGap()).toBe(2);
    expect(takeAll(buffer)).toEqual([12]);
    expect(buffer.markDropped({ firstSequence: 11, lastSequence: 13 })).toBe(1);
    expect(buffer.listMissing(9)).toEqual([{ firstSequence: 14, lastSequence: 14 }]);
    expect(buffer.markDropped({ firstSequence: 14, lastSequence: 14 })).toBe(1);
    expect(takeAll(buffer)).toEqual([15]);
    expect([buffer.nextSequence, buffer.missingCount, buffer.freeSlots]).toEqual([16, 0, 16]);
    expect([buffer.put(15, 15), buffer.put(32, 32), buffer.put(31, 31)]).toEqual([
      'repeated',
      'beyond',
      'ahead',
    ]);
  });

  it('has a limited size, even for a longer range of dropped packets', () => {
    const buffer = new ReceiveBuffer<number>(0, 16);
    buffer.markDropped({ firstSequence: 0, lastSequence: 2 ** 30 - 1 });
    expect(takeAll(buffer)).toEqual([]);
    expect(buffer.nextSequence).toBe(16);
  });
});
