import { expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import type { Watchable, WatchableMedia } from './find-watchable';
import { createOpenGraphVideos, createStructuredData, formatScriptJson } from './structured-data';

const t = englishMessages('player.page');
const urls = { page: 'https://live.example/watch/a', embed: 'https://live.example/embed/a' };
const video: WatchableMedia = {
  kind: 'vod',
  publishedAt: Date.UTC(2026, 0, 2),
  duration: 3_690.4, // 1 h 1 min 30 s, rounded
  mp4: { url: 'https://cdn.example/a.mp4', width: 640, height: 360 },
  status: null,
};
const watchableWith = (media: WatchableMedia): Watchable => ({
  title: 'River',
  src: 'https://cdn.example/a.m3u8',
  poster: 'https://cdn.example/a.jpg',
  media,
});

test('an asset is described as a VideoObject, with its duration rounded to seconds', () => {
  expect(createStructuredData(t, watchableWith(video), urls)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'VideoObject',
    name: 'River',
    description: 'Watch “River”.',
    url: 'https://live.example/watch/a',
    embedUrl: 'https://live.example/embed/a',
    contentUrl: 'https://cdn.example/a.mp4',
    uploadDate: '2026-01-02T00:00:00.000Z',
    thumbnailUrl: 'https://cdn.example/a.jpg',
    width: 640,
    height: 360,
    duration: 'PT1H1M30S',
  });
});

test('chapters become clips of the video; each clip ends where the next starts, the last with the video', () => {
  const chapters = [
    { start: 0, title: 'Spring' },
    { start: 61.5, title: 'Weir' },
  ];
  const data = createStructuredData(t, watchableWith({ ...video, chapters }), urls) as { hasPart: object[] };
  expect(data.hasPart).toEqual([
    { '@type': 'Clip', name: 'Spring', startOffset: 0, endOffset: 61.5, url: `${urls.page}?t=0` },
    { '@type': 'Clip', name: 'Weir', startOffset: 61.5, endOffset: 3_690.4, url: `${urls.page}?t=61` },
  ]);
});

test('og:video lists the player before the file, each with its https URL and type', () => {
  const properties = createOpenGraphVideos(watchableWith(video), urls);
  const valuesOf = (name: string) =>
    properties.filter(([property]) => property === name).map(([, value]) => value);
  expect(valuesOf('og:video')).toEqual([urls.embed, 'https://cdn.example/a.mp4']);
  expect(valuesOf('og:video:secure_url')).toEqual(valuesOf('og:video'));
  expect(valuesOf('og:video:type')).toEqual(['text/html', 'video/mp4']);
});

const streamWith = (status: WatchableMedia['status']): WatchableMedia => ({
  kind: 'live',
  publishedAt: Date.UTC(2026, 0, 1),
  duration: null,
  status,
});
const startedAt = Date.UTC(2026, 0, 2, 12);

test('a stream has a BroadcastEvent while it is live and after its end', () => {
  const liveStatus = { live: true, viewers: 1, startedAt, endedAt: null };
  expect(createStructuredData(t, watchableWith(streamWith(liveStatus)), urls)).toMatchObject({
    description: '“River” is live now.',
    contentUrl: 'https://cdn.example/a.m3u8',
    uploadDate: '2026-01-02T12:00:00.000Z',
    publication: { '@type': 'BroadcastEvent', isLiveBroadcast: true, startDate: '2026-01-02T12:00:00.000Z' },
  });
  const endedStatus = { live: false, viewers: 0, startedAt, endedAt: startedAt + 60_000 };
  expect(createStructuredData(t, watchableWith(streamWith(endedStatus)), urls)).toMatchObject({
    publication: { isLiveBroadcast: false, endDate: '2026-01-02T12:01:00.000Z' },
  });
});

test('a stream that was never live has no BroadcastEvent', () => {
  const neverLive = streamWith({ live: false, viewers: 0, startedAt: null, endedAt: null });
  expect(createStructuredData(t, watchableWith(neverLive), urls)).not.toHaveProperty('publication');
});

test('content that cannot be played has no VideoObject', () => {
  expect(createStructuredData(t, { title: 'Soon', src: null }, urls)).toBeNull();
});

test('a title cannot end the script element', () => {
  const json = formatScriptJson({ name: '</script><script>alert(1)' });
  expect(json).not.toContain('<');
  expect(JSON.parse(json)).toEqual({ name: '</script><script>alert(1)' });
});
