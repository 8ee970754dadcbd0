import { describe, expect, test } from 'vitest';
import { findChapterAt, chapterLimits, misplacedChapterIndex } from './chapters';
import { convertFileChapters } from './file-chapters';

const createProbedChapter = (start_time: string, title?: string) => ({ start_time, tags: { title } });

describe('chapters of a file', () => {
  test('have a title, start inside the video, and are sorted and unique by time', () => {
    const chapters = convertFileChapters(
      [
        createProbedChapter('60.000000', ' The\nweir '),
        createProbedChapter('0.000000', 'Spring'),
        createProbedChapter('60.000000', 'The mill'),
        createProbedChapter('90', ''),
        createProbedChapter('95'),
        createProbedChapter('N/A', 'Nowhere'),
        createProbedChapter('120', 'After the end'),
        {},
      ],
      120,
    );
    expect(chapters).toEqual([
      { start: 0, title: 'Spring' },
      { start: 60, title: 'The mill' },
    ]);
  });

  test('are dropped if there is only one', () => {
    expect(convertFileChapters([createProbedChapter('0', 'All')], 10)).toEqual([]);
  });

  test('are limited in number and in the length of their titles', () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      createProbedChapter(String(index), '🎬'.repeat(500)),
    );
    const chapters = convertFileChapters(many, 1_000);
    expect(chapters).toHaveLength(chapterLimits.count);
    expect(chapters[0]?.title.length).toBe(chapterLimits.titleLength);
  });
});

const chapters = [
  { start: 5, title: 'a' },
  { start: 9, title: 'b' },
];

test('findChapterAt finds the chapter of a time, and none before the first chapter', () => {
  expect([0, 5, 8.9, 9, 100].map((seconds) => findChapterAt(chapters, seconds)?.title)).toEqual([
    undefined,
    'a',
    'a',
    'b',
    'b',
  ]);
});

test('misplacedChapterIndex finds a chapter that does not start after the previous one', () => {
  expect(misplacedChapterIndex(chapters)).toBe(-1);
  expect(misplacedChapterIndex(chapters.toReversed())).toBe(1);
});
