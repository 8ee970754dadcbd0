import { describe, expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import { readListState } from '@/components/ui/table/list-state';
import { asset as assetSchema } from '@/lib/contract/assets/asset';
import { readyAsset, transcodedAsset } from '@/lib/contract/assets/asset-examples';
import { assetListQueryOf, assetListOptions } from './asset-list';
import {
  assetSourceLabel,
  assetStatus,
  formatVideoDuration,
  isDeleted,
  nameFromUrl,
  posterUrlOf,
  describeTrack,
} from './asset-text';
import { omitUndefined } from '@/lib/core/omit-undefined';

const t = englishMessages('assets.assetText');
const asset = assetSchema.parse(readyAsset);
const assetInPhase = (phase: string, progress?: number) =>
  assetSchema.parse({
    ...readyAsset,
    status: { phase, updatedAt: 0, ...omitUndefined({ progress }) },
  });

test.each([
  ['ready', 1, 'Ready'],
  ['processing', undefined, 'Processing'],
  ['processing', 0.999, 'Processing 99 %'],
  ['uploading', undefined, 'Uploading'],
  ['waiting', undefined, 'Waiting'],
  ['failed', undefined, 'Failed'],
  ['deleted', undefined, 'Deleted'],
])('the phase %s with the progress %s is labelled "%s"', (phase, progress, label) =>
  expect(assetStatus(t, assetInPhase(phase, progress)).label).toBe(label),
);

test('an asset counts as deleted while it is being deleted, and not when it failed', () => {
  expect(isDeleted(assetInPhase('deleting'))).toBe(true);
  expect(isDeleted(assetInPhase('failed'))).toBe(false);
});

test('no asset state has the red tone of live streams', () => {
  for (const phase of ['ready', 'failed', 'processing', 'uploading', 'waiting', 'deleting', 'deleted']) {
    expect(assetStatus(t, assetInPhase(phase)).tone).not.toBe('live');
  }
});

test('uploads, imports, recordings and transcodes have short labels', () => {
  expect(assetSourceLabel(t, asset)).toBe('Upload');
  expect(assetSourceLabel(t, { source: { type: 'url', url: 'https://a.example/b' } })).toBe('Import');
  expect(assetSourceLabel(t, { source: { type: 'recording', sessionId: asset.id } })).toBe('Recording');
  expect(assetSourceLabel(t, assetSchema.parse(transcodedAsset))).toBe('Transcode');
});

describe('durations and tracks', () => {
  test.each([
    [0, '0:00'],
    [62.5, '1:03'],
    [59.6, '1:00'],
    [3_723, '1:02:03'],
  ])('%f seconds are formatted as %s', (seconds, clock) => expect(formatVideoDuration(seconds)).toBe(clock));

  test('each track is described in one line', () => {
    expect(asset.videoSpec?.tracks.map((track) => describeTrack(t, track, 'en'))).toEqual([
      'H.264 · 1280×720 · 30 fps · 2.5 Mbit/s',
      'AAC · stereo · 48 kHz · 128 kbit/s',
    ]);
  });
});

test('the poster is the uploaded picture, or else the file next to the playlist if there is one', () => {
  expect(posterUrlOf(asset)).toBe('http://localhost:8080/asset/9d2f7m3k1x8q5v0z/poster.jpg');
  const posterUrl = 'http://localhost:8080/poster/abcdabcdabcdabcd.jpg';
  expect(posterUrlOf({ ...asset, posterUrl })).toBe(posterUrl);
  expect(posterUrlOf({})).toBeNull();
});

test('filters and search of the list become query parameters of the API', () => {
  const query = (text: string) =>
    assetListQueryOf(readListState(assetListOptions, new URLSearchParams(text)));
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
])('the asset from the URL "%s" is named "%s"', (url, name) => expect(nameFromUrl(t, url)).toBe(name));
