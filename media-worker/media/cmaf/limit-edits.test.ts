import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findBox } from './read-boxes';
import { limitEdits } from './limit-edits';

const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const uint32s = (...values: number[]): Buffer => {
  const data = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) data.writeInt32BE(value, index * 4);
  return data;
};
/** The movie has 1,000 ticks per second, and its media 12,800. */
const MEDIA_TICKS_PER_MOVIE_TICK = 12.8;
const mvhd = box('mvhd', uint32s(0, 0, 0, 1_000, 9_000, 0));
const trak = (edits: readonly (readonly [number, number])[]) =>
  box(
    'trak',
    box('tkhd', uint32s(0, 0, 0, 1, 0, 9_000, 0)),
    box('mdia', box('mdhd', uint32s(0, 0, 0, 12_800, 0))),
    box(
      'edts',
      box(
        'elst',
        uint32s(0, edits.length, ...edits.flatMap(([length, mediaTime]) => [length, mediaTime, 65_536])),
      ),
    ),
  );
interface ShownEdit {
  /** Length in ticks of the movie. */
  readonly length: number;
  /** Start in the media, in movie ticks; null for an empty edit. */
  readonly from: number | null;
}
const editsIn = (moov: Buffer): ShownEdit[] => {
  const elst = findBox(moov, ['moov', 'trak', 'edts', 'elst']);
  return Array.from({ length: moov.readUInt32BE(elst.start + 4) }, (_, edit) => {
    const offset = elst.start + 8 + edit * 12;
    const time = moov.readInt32BE(offset + 4);
    return { length: moov.readUInt32BE(offset), from: time < 0 ? null : time / MEDIA_TICKS_PER_MOVIE_TICK };
  });
};
/** The media time presented at each movie tick. */
const timelineOf = (edits: readonly ShownEdit[]): (number | null)[] =>
  edits.flatMap(({ length, from }) =>
    Array.from({ length }, (_, tick) => (from === null ? null : Math.round(from) + tick)),
  );

test('after limitEdits, the presentation is the requested range of the previous one, to one tick', () => {
  const editArbitrary = fc.record({ length: fc.integer({ min: 1, max: 60 }), from: fc.option(fc.nat(500)) });
  fc.assert(
    fc.property(
      fc.array(editArbitrary, { minLength: 1, maxLength: 5 }),
      fc.nat(200),
      fc.nat(200),
      (edits, from, shownCount) => {
        const timelineBefore = timelineOf(edits);
        fc.pre(timelineBefore.slice(from, from + shownCount).length > 0);
        const elstEntries = edits.map(
          ({ length, from: mediaTime }) =>
            [length, mediaTime === null ? -1 : Math.round(mediaTime * MEDIA_TICKS_PER_MOVIE_TICK)] as const,
        );
        const moov = box('moov', mvhd, trak(elstEntries));
        limitEdits(moov, { startSeconds: from / 1_000, durationSeconds: shownCount / 1_000 });
        const timelineAfter = timelineOf(editsIn(moov));
        const expectedTimes = timelineBefore.slice(from, from + shownCount);
        expect(timelineAfter).toHaveLength(expectedTimes.length);
        for (const [tick, media] of expectedTimes.entries())
          if (media === null) expect(timelineAfter[tick]).toBeNull();
          else expect(Math.abs((timelineAfter[tick] ?? Infinity) - media)).toBeLessThanOrEqual(1);
        expect(moov.readUInt32BE(findBox(moov, ['moov', 'trak', 'tkhd']).start + 20)).toBe(
          timelineAfter.length,
        );
        expect(moov.readUInt32BE(findBox(moov, ['moov', 'mvhd']).start + 16)).toBe(timelineAfter.length);
      },
    ),
  );
});

test('a track without edits is unchanged', () => {
  const moov = box('moov', mvhd, box('trak', box('tkhd', uint32s(0, 0, 0, 1, 0, 9_000, 0))));
  limitEdits(moov, { startSeconds: 0, durationSeconds: 2 });
  expect(moov.readUInt32BE(findBox(moov, ['moov', 'trak', 'tkhd']).start + 20)).toBe(9_000);
});
