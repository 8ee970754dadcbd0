import { expect, test } from 'vitest';
import { formatStoryboardCues, layOutStoryboard } from '@/lib/core/media/storyboard';
import { parseStoryboard, thumbnailAt } from './seek-preview';

const url = 'http://media.example/asset/abcd/storyboard.vtt';

test("the service's storyboard is parsed across several sheets", () => {
  const layout = layOutStoryboard(130, 16 / 9);
  const pictures = parseStoryboard(formatStoryboardCues(layout, 130, 3), url);
  expect(pictures).toHaveLength(65);
  expect(pictures[0]).toEqual({
    begin: 0,
    end: 2,
    url: 'http://media.example/asset/abcd/storyboard-1.jpg',
    x: 0,
    y: 0,
    width: 160,
    height: 90,
  });
  expect(thumbnailAt(pictures, 53)).toMatchObject({
    begin: 52,
    x: 160,
    y: 0,
    url: expect.stringMatching(/-2.jpg$/) as string,
  });
  expect(thumbnailAt(pictures, 1e6)).toBe(pictures.at(-1));
});

test('other line endings and hours are parsed', () => {
  const text = 'WEBVTT\r\n\r\n01:00:00.000 --> 01:00:10.000\r\na.jpg#xywh=0,0,160,90\r\n';
  expect(parseStoryboard(text, url)).toMatchObject([{ begin: 3600, end: 3610 }]);
});

test.each([
  '',
  'no file at all',
  'WEBVTT\n\n00:05.000 --> 00:01.000\na.jpg#xywh=0,0,160,90\n',
  'WEBVTT\n\nx --> y\na.jpg#xywh=0,0,160,90\n',
  'WEBVTT\n\n00:00.000 --> 00:01.000\na.jpg#xywh=0,0,0,0\n',
  'WEBVTT\n\n00:00.000 --> 00:01.000\na.jpg\n',
])('%j contains no thumbnails', (text) => {
  expect(parseStoryboard(text, url)).toEqual([]);
  expect(thumbnailAt([], 1)).toBeNull();
});
