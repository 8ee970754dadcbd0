import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseChapterText, formatChapterText } from './chapter-text';

describe('chapters as text', () => {
  test.each([
    [
      '0:00 Spring\n\n 1:02:03.5 - The mill ',
      [
        [0, 'Spring'],
        [3_723.5, 'The mill'],
      ],
    ],
    ['00:00: Spring', [[0, 'Spring']]],
    ['75:10 Late', [[4_510, 'Late']]],
    ['', []],
  ])('are read from %j', (text, expected) => {
    expect(parseChapterText(text, null)).toEqual({
      chapters: expected.map(([start, title]) => ({ start, title })),
    });
  });

  test.each([
    ['Spring', 1, 'no_time'],
    ['0:00 Spring\n1:99 x', 2, 'no_time'],
    ['0:00', 1, 'no_title'],
    ['0:05 a\n0:05 b', 2, 'not_later'],
    ['0:00 a\n\n1:00 b', 3, 'after_end'],
  ])('%j is rejected in line %d: %s', (text, line, problem) => {
    expect(parseChapterText(text, 60)).toEqual({ line, problem });
  });

  test('formatted chapters can be parsed again', () => {
    const chapter = fc.record({
      start: fc.integer({ min: 1, max: 90_000_000 }).map((ms) => ms / 1_000),
      title: fc.stringMatching(/^[a-zß🎬][^\n\r]{0,20}$/u).map((title) => title.trim()),
    });
    fc.assert(
      fc.property(fc.uniqueArray(chapter, { selector: ({ start }) => start }), (anyChapters) => {
        const chapters = anyChapters.toSorted((a, b) => a.start - b.start);
        expect(parseChapterText(formatChapterText(chapters), null)).toEqual({ chapters });
      }),
    );
  });
});
