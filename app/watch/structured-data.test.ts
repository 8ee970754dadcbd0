import { expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import type { Watchable, WatchableMedia } from './find-watchable';
import { openGraphVideos, scriptText, structuredData } from './structured-data';

const t = englishMessages('player.page');
const addresses = { page: 'https://live.example/watch/a', embed: 'https://live.example/embed/a' };
const video: WatchableMedia = {
  kind: 'vod',
  publishedAt: Date.UTC(2026, 0, 2),
  duration: 3_690.4,
  mp4: { url: 'https://cdn.example/a.mp4', width: 640, height: 360 },
  status: null,
};
const playback = (media: WatchableMedia): Watchable => ({
  title: 'River',
  src: 'https://cdn.example/a.m3u8',
  poster: 'https://cdn.example/a.jpg',
  media,
});

test('a video object', () => {
  expect(structuredData(t, playback(video), addresses)).toEqual({
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

test('chapters are key moments', () => {
  const chapters = [
    { start: 0, title: 'Spring' },
    { start: 61.5, title: 'Weir' },
  ];
  const data = structuredData(t, playback({ ...video, chapters }), addresses) as { hasPart: object[] };
  expect(data.hasPart).toEqual([
    { '@type': 'Clip', name: 'Spring', startOffset: 0, endOffset: 61.5, url: `${addresses.page}?t=0` },
    { '@type': 'Clip', name: 'Weir', startOffset: 61.5, endOffset: 3_690.4, url: `${addresses.page}?t=61` },
  ]);
});

test('the player is listed before the file', () => {
  const videos = openGraphVideos(playback(video), addresses);
  const values = (name: string) => videos.filter(([each]) => each === name).map(([, value]) => value);
  expect(values('og:video')).toEqual([addresses.embed, 'https://cdn.example/a.mp4']);
  expect(values('og:video:secure_url')).toEqual(values('og:video'));
  expect(values('og:video:type')).toEqual(['text/html', 'video/mp4']);
});

const stream = (status: WatchableMedia['status']): WatchableMedia => ({
  kind: 'live',
  publishedAt: Date.UTC(2026, 0, 1),
  duration: null,
  status,
});
const startedAt = Date.UTC(2026, 0, 2, 12);

test('a live stream, and a stream after its end', () => {
  const live = structuredData(
    t,
    playback(stream({ live: true, viewers: 1, startedAt, endedAt: null })),
    addresses,
  );
  expect(live).toMatchObject({
    description: '“River” is live now.',
    contentUrl: 'https://cdn.example/a.m3u8',
    uploadDate: '2026-01-02T12:00:00.000Z',
    publication: { '@type': 'BroadcastEvent', isLiveBroadcast: true, startDate: '2026-01-02T12:00:00.000Z' },
  });
  const status = { live: false, viewers: 0, startedAt, endedAt: startedAt + 60_000 };
  expect(structuredData(t, playback(stream(status)), addresses)).toMatchObject({
    publication: { isLiveBroadcast: false, endDate: '2026-01-02T12:01:00.000Z' },
  });
});

test('a stream that was never live has no broadcast, and unplayable content no object', () => {
  const never = stream({ live: false, viewers: 0, startedAt: null, endedAt: null });
  expect(structuredData(t, playback(never), addresses)).not.toHaveProperty('publication');
  expect(structuredData(t, { title: 'Soon', src: null }, addresses)).toBeNull();
});

test('a title cannot end the script element', () => {
  const text = scriptText({ name: '</script><script>alert(1)' });
  expect(text).not.toContain('<');
  expect(JSON.parse(text)).toEqual({ name: '</script><script>alert(1)' });
});
