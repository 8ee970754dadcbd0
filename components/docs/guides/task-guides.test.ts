import { describe, expect, test } from 'vitest';
import { guideMarkdown } from './guide-markdown';
import { taskGuides } from './task-guides';

const urls = {
  baseUrl: 'https://video.example',
  cdnUrl: 'https://cdn.video.example',
  rtmpUrl: 'rtmp://video.example/live',
};
const guides = taskGuides(urls);

describe.each(guides)('the guide $id', (guide) => {
  test('contains the URLs of this service, and no placeholder', () => {
    const text = guideMarkdown(guide);
    expect(text).toContain(urls.baseUrl);
    expect(text).not.toMatch(/undefined|\[object|localhost:3000/);
  });

  test('contains no API key in its commands and files', () => {
    for (const { code } of guide.steps) expect(code).not.toMatch(/lsk_/);
  });
});

test('no guide is listed twice', () => {
  expect(new Set(guides.map(({ id }) => id)).size).toBe(guides.length);
});
