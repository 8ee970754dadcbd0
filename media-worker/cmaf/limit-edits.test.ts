import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxAt } from './read-boxes';
import { limitEdits } from './limit-edits';

const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const words = (...values: number[]): Buffer => {
  const data = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) data.writeInt32BE(value, index * 4);
  return data;
};
const mvhd = box('mvhd', words(0, 0, 0, 1_000, 9_000, 0));
const trak = (edits: readonly (readonly [number, number])[]) =>
  box(
    'trak',
    box('tkhd', words(0, 0, 0, 1, 0, 9_000, 0)),
    box(
      'edts',
      box('elst', words(0, edits.length, ...edits.flatMap(([length, at]) => [length, at, 65_536]))),
    ),
  );
const lengthsOf = (moov: Buffer, count: number): number[] => {
  const elst = boxAt(moov, ['moov', 'trak', 'edts', 'elst']);
  return Array.from({ length: count }, (_, edit) => moov.readUInt32BE(elst.start + 8 + edit * 12));
};

test('edits end at the limit, and no edit gets longer', () => {
  const edits = fc.array(fc.nat(5_000), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(edits, fc.nat(12_000), (lengths, limit) => {
      const moov = box('moov', mvhd, trak(lengths.map((length) => [length, 100])));
      limitEdits(moov, limit / 1_000);
      const after = lengthsOf(moov, lengths.length);
      const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
      expect(sum(after)).toBe(Math.min(limit, sum(lengths)));
      for (const [index, length] of after.entries()) expect(length).toBeLessThanOrEqual(lengths[index] ?? 0);
      expect(moov.readUInt32BE(boxAt(moov, ['moov', 'trak', 'tkhd']).start + 20)).toBe(sum(after));
      expect(moov.readUInt32BE(boxAt(moov, ['moov', 'mvhd']).start + 16)).toBe(sum(after));
    }),
  );
});

test('a track without edits stays as it is', () => {
  const moov = box('moov', mvhd, box('trak', box('tkhd', words(0, 0, 0, 1, 0, 9_000, 0))));
  limitEdits(moov, 2);
  expect(moov.readUInt32BE(boxAt(moov, ['moov', 'trak', 'tkhd']).start + 20)).toBe(9_000);
});
