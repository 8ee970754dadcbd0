import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLossReport, parseLossReport } from './loss-report';
import { ReceiveBuffer, type SequenceRange } from './receive-buffer';
import { sequenceAfter, sequenceDistance } from './sequence';

/** Sequence numbers around the wrap, and in the middle of the range. */
const first = fc.oneof(fc.integer({ min: 2 ** 31 - 40, max: 2 ** 31 - 1 }), fc.nat(2 ** 31 - 1));

const rangesOf = (sequences: readonly number[]): SequenceRange[] => {
  const ranges: { from: number; to: number }[] = [];
  for (const sequence of sequences) {
    const last = ranges.at(-1);
    if (last && sequenceAfter(last.to, 1) === sequence) last.to = sequence;
    else ranges.push({ from: sequence, to: sequence });
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
      fc.property(first, fc.integer({ min: -(2 ** 30), max: 2 ** 30 - 1 }), (from, steps) => {
        expect(sequenceDistance(from, sequenceAfter(from, steps))).toBe(steps);
      }),
    );
  });

  it('are reported as missing ranges', () => {
    fc.assert(
      fc.property(first, fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 20 }), (start, gaps) => {
        let at = start;
        const ranges = gaps.map(([skip, length]) => {
          const from = sequenceAfter(at, skip + 2);
          at = sequenceAfter(from, length);
          return { from, to: at };
        });
        expect(parseLossReport(formatLossReport(ranges))).toEqual(ranges);
      }),
    );
  });
});

describe('a receive buffer', () => {
  it('delivers each packet once and in order, in whatever order they arrive', () => {
    const arrivals = fc.array(fc.nat(30), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(first, arrivals, (start, offsets) => {
        const buffer = new ReceiveBuffer<number>(start, 32);
        const arrivals = new Set<number>();
        const items: number[] = [];
        for (const offset of offsets) {
          const sequence = sequenceAfter(start, offset);
          buffer.put(sequence, sequence);
          arrivals.add(offset);
          items.push(...takeAll(buffer));
        }
        let contiguous = 0;
        while (arrivals.has(contiguous)) contiguous += 1;
        expect(items).toEqual(Array.from({ length: contiguous }, (_, at) => sequenceAfter(start, at)));
        const highest = Math.max(...offsets);
        const missing = Array.from({ length: highest }, (_, at) => at).filter((at) => !arrivals.has(at));
        const sequences = missing.map((at) => sequenceAfter(start, at));
        expect(buffer.missingCount).toBe(missing.length);
        expect(buffer.listMissing(100)).toEqual(rangesOf(sequences));
        expect(buffer.freeSlots).toBe(32 - Math.max(0, highest + 1 - contiguous));
      }),
    );
  });

  it('skips gaps, and packets that the sender gives up', () => {
    const buffer = new ReceiveBuffer<number>(10, 16);
    for (const sequence of [12, 15]) buffer.put(sequence, sequence);
    expect(takeAll(buffer)).toEqual([]);
    expect(buffer.firstHeld()).toBe(12);
    expect(buffer.skipGap()).toBe(2);
    expect(takeAll(buffer)).toEqual([12]);
    expect(buffer.giveUp({ from: 11, to: 13 })).toBe(1);
    expect(buffer.listMissing(9)).toEqual([{ from: 14, to: 14 }]);
    expect(buffer.giveUp({ from: 14, to: 14 })).toBe(1);
    expect(takeAll(buffer)).toEqual([15]);
    expect([buffer.next, buffer.missingCount, buffer.freeSlots]).toEqual([16, 0, 16]);
    expect([buffer.put(15, 15), buffer.put(32, 32), buffer.put(31, 31)]).toEqual([
      'repeated',
      'beyond',
      'ahead',
    ]);
  });

  it('has a limited size, even for packets that the sender gives up', () => {
    const buffer = new ReceiveBuffer<number>(0, 16);
    buffer.giveUp({ from: 0, to: 2 ** 30 - 1 });
    expect(takeAll(buffer)).toEqual([]);
    expect(buffer.next).toBe(16);
  });
});
