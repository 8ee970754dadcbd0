import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chapterAt,
  chapterLimits,
  chaptersOfFile,
  misplacedChapter,
  readChapters,
  writeChapters,
} from './chapters';

const probed = (start_time: string, title?: string) => ({ start_time, tags: { title } });

describe('the chapters of a file', () => {
  test('are those with a name inside the video, in order, once a time', () => {
    const found = chaptersOfFile(
      [
        probed('60.000000', ' The\nweir '),
        probed('0.000000', 'Spring'),
        probed('60.000000', 'The mill'),
        probed('90', ''),
        probed('95'),
        probed('N/A', 'Nowhere'),
        probed('120', 'After the end'),
        {},
      ],
      120,
    );
    expect(found).toEqual([
      { start: 0, title: 'Spring' },
      { start: 60, title: 'The mill' },
    ]);
  });

  test('are none for a single one, and bounded', () => {
    expect(chaptersOfFile([probed('0', 'All')], 10)).toEqual([]);
    const many = Array.from({ length: 300 }, (_, at) => probed(String(at), '🎬'.repeat(500)));
    const found = chaptersOfFile(many, 1_000);
    expect(found).toHaveLength(chapterLimits.count);
    expect(found[0]?.title.length).toBe(chapterLimits.titleLength);
  });
});

test('the chapter at a time', () => {
  const chapters = [
    { start: 5, title: 'a' },
    { start: 9, title: 'b' },
  ];
  expect([0, 5, 8.9, 9, 100].map((at) => chapterAt(chapters, at)?.title)).toEqual([
    undefined,
    'a',
    'a',
    'b',
    'b',
  ]);
  expect(misplacedChapter(chapters)).toBe(-1);
  expect(misplacedChapter(chapters.toReversed())).toBe(1);
});

describe('written chapters', () => {
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
  ])('%j', (text, expected) => {
    expect(readChapters(text, null)).toEqual({
      chapters: expected.map(([start, title]) => ({ start, title })),
    });
  });

  test.each([
    ['Spring', 1, 'no_time'],
    ['0:00 Spring\n1:99 x', 2, 'no_time'],
    ['0:00', 1, 'no_title'],
    ['0:05 a\n0:05 b', 2, 'not_later'],
    ['0:00 a\n\n1:00 b', 3, 'after_end'],
  ])('%j is refused', (text, line, problem) => {
    expect(readChapters(text, 60)).toEqual({ line, problem });
  });

  test('are read as they were', () => {
    const chapter = fc.record({
      start: fc.integer({ min: 1, max: 90_000_000 }).map((ms) => ms / 1_000),
      title: fc.stringMatching(/^[a-zß🎬][^\n\r]{0,20}$/u).map((title) => title.trim()),
    });
    fc.assert(
      fc.property(fc.uniqueArray(chapter, { selector: ({ start }) => start }), (some) => {
        const chapters = some.toSorted((a, b) => a.start - b.start);
        expect(readChapters(writeChapters(chapters), null)).toEqual({ chapters });
      }),
    );
  });
});
