import { describe, expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import { readListState } from '@/components/ui/table/list-state';
import { asset as assetSchema } from '@/lib/contract/assets/asset';
import { readyAsset, transcodedAsset } from '@/lib/contract/assets/asset-examples';
import { assetListQueryOf, assetListShape } from './asset-list';
import {
  assetSourceLabel,
  assetStatus,
  formatClock,
  isDeleted,
  nameOfUrl,
  posterOf,
  describeTrack,
} from './asset-text';
import { defined } from '@/lib/core/defined';

const t = englishMessages('assets.assetText');
const asset = assetSchema.parse(readyAsset);
const at = (phase: string, progress?: number) =>
  assetSchema.parse({
    ...readyAsset,
    status: { phase, updatedAt: 0, ...defined({ progress }) },
  });

test.each([
  [at('ready', 1), 'Ready'],
  [at('processing'), 'Processing'],
  [at('processing', 0.999), 'Processing 99 %'],
  [at('uploading'), 'Uploading'],
  [at('waiting'), 'Waiting'],
  [at('failed'), 'Failed'],
  [at('deleted'), 'Deleted'],
])('%#: %s', (each, label) => expect(assetStatus(t, each).label).toBe(label));

test('a deleted asset can only be restored', () => {
  expect(isDeleted(at('deleting'))).toBe(true);
  expect(isDeleted(at('failed'))).toBe(false);
});

test('red is reserved for live', () => {
  for (const phase of ['ready', 'failed', 'processing', 'uploading', 'waiting', 'deleting']) {
    expect(assetStatus(t, at(phase)).tone).not.toBe('live');
  }
});

test('sources', () => {
  expect(assetSourceLabel(t, asset)).toBe('Upload');
  expect(assetSourceLabel(t, { source: { type: 'url', url: 'https://a.example/b' } })).toBe('Import');
  expect(assetSourceLabel(t, { source: { type: 'recording', sessionId: asset.id } })).toBe('Recording');
  expect(assetSourceLabel(t, assetSchema.parse(transcodedAsset))).toBe('Transcode');
});

describe('quantities', () => {
  test.each([
    [0, '0:00'],
    [62.5, '1:03'],
    [59.6, '1:00'],
    [3_723, '1:02:03'],
  ])('%f s is %s', (seconds, clock) => expect(formatClock(seconds)).toBe(clock));

  test('tracks', () => {
    expect(asset.videoSpec?.tracks.map((track) => describeTrack(t, track, 'en'))).toEqual([
      'H.264 · 1280×720 · 30 fps · 2.5 Mbit/s',
      'AAC · stereo · 48 kHz · 128 kbit/s',
    ]);
  });
});

test('the poster is next to the playlist', () => {
  expect(posterOf(asset)).toBe('http://localhost:8080/asset/9d2f7m3k1x8q5v0z/poster.jpg');
  const posterUrl = 'http://localhost:8080/poster/abcdabcdabcdabcd.jpg';
  expect(posterOf({ ...asset, posterUrl })).toBe(posterUrl);
  expect(posterOf({})).toBeNull();
});

test('filters of the list become query parameters', () => {
  const query = (text: string) => assetListQueryOf(readListState(assetListShape, new URLSearchParams(text)));
  expect(query('')).toEqual({ limit: '20', count: '1', order: 'createdAt-true' });
  const apiQuery = query('?status=ready&source=url&q=hall');
  expect(JSON.parse(apiQuery.filters ?? '')).toEqual([
    { id: 'phase', value: 'ready' },
    { id: 'sourceType', value: 'url' },
  ]);
  expect(apiQuery).toMatchObject({ search: 'hall' });
  expect(query('?status=deleted')).toEqual({ ...query(''), deleted: '1' });
});

test.each([
  ['https://files.example/a/Town%20hall.mp4?signature=x', 'Town hall'],
  [' https://files.example/film.mp4 ', 'film'],
  ['https://files.example/100%.mp4', '100%'],
  ['https://files.example/folder/', 'folder'],
  ['https://files.example', 'Import'],
  ['https://files.example/.mp4', 'Import'],
  ['nonsense', 'Import'],
  ['', 'Import'],
])('%s is named %s', (url, name) => expect(nameOfUrl(t, url)).toBe(name));
