import { expect, test } from 'vitest';
import { formatStoryboardCues, layOutStoryboard } from '@/lib/core/media/storyboard';
import { parseStoryboard, thumbnailAt } from './seek-preview';

const url = 'http://media.example/asset/abcd/storyboard.vtt';

test('a storyboard that the service makes, with several images, has the thumbnail of each time', () => {
  const durationSeconds = 130;
  const layout = layOutStoryboard(durationSeconds, 16 / 9);
  const imageCount = 3;
  const thumbnails = parseStoryboard(formatStoryboardCues(layout, durationSeconds, imageCount), url);
  // One thumbnail for every 2 s of 130 s.
  expect(thumbnails).toHaveLength(65);
  expect(thumbnails[0]).toEqual({
    start: 0,
    end: 2,
    url: 'http://media.example/asset/abcd/storyboard-1.jpg',
    x: 0,
    y: 0,
    width: 160,
    height: 90,
  });
  // An image has 25 thumbnails, so the 27th is the second of the second image.
  expect(thumbnailAt(thumbnails, 53)).toMatchObject({
    start: 52,
    x: 160,
    y: 0,
    url: expect.stringMatching(/-2.jpg$/) as string,
  });
  // A time after the end of the video has the last thumbnail.
  expect(thumbnailAt(thumbnails, 1e6)).toBe(thumbnails.at(-1));
});

test('a storyboard with CRLF line endings and times with hours is parsed', () => {
  const text = 'WEBVTT\r\n\r\n01:00:00.000 --> 01:00:10.000\r\na.jpg#xywh=0,0,160,90\r\n';
  expect(parseStoryboard(text, url)).toMatchObject([{ start: 3600, end: 3610 }]);
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
