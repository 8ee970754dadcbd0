import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import type { LocatedAsset } from '@/lib/domain/assets';
import { openLocalStorage } from '@/lib/infra/storage/local-driver';
import { createServeAsset } from './serve-asset';
import { createServeTracks } from './serve-tracks';

const root = mkdtempSync(join(tmpdir(), 'serve-tracks-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const storage = openLocalStorage(root);
await storage.put(
  'asset/one/hls/index.m3u8',
  Buffer.from('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nsource/index.m3u8\n'),
);

const track = { id: 't1', kind: 'subtitles', language: 'de', label: 'Deutsch', isDefault: false } as const;
const locatedAsset: LocatedAsset = {
  assetId: 'one',
  filesId: 'one',
  name: 'Film',
  videoKey: 'asset/one/source',
  sourceKey: 'asset/one/source',
  sourceFormat: 'mp4',
  hasAudio: false,
  hasVideo: true,
  posterTime: null,
  duration: 62.5,
  tracks: [track],
};
let readCount = 0;
const tracks = createServeTracks({
  storage,
  readText: (id) => {
    readCount++;
    return Promise.resolve(id === 't1' ? `WEBVTT\n\n${'text '.repeat(100)}` : null);
  },
});
/** Creates a function that requests a file of the asset. */
const createGet = (asset = locatedAsset) => {
  const serve = createServeAsset({ storage, tracks, locate: () => Promise.resolve(asset) });
  return async (file: string, headers = {}) => {
    const {
      status,
      headers: sentHeaders = {},
      body = [],
    } = await serve({
      path: `/abcdefgh12345678/${file}`,
      download: false,
      headers,
    });
    return { status, sentHeaders, body: Buffer.concat([...body]) };
  };
};
const get = createGet();

test('the master playlist names the tracks, and their files are beside it', async () => {
  const master = await get('index.m3u8');
  expect(master.sentHeaders).toMatchObject({ 'Content-Type': 'application/vnd.apple.mpegurl' });
  expect(master.body.toString()).toContain(
    'URI="tracks/t1.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="subtitles"',
  );
  expect((await get('tracks/t1.m3u8')).body.toString()).toContain('#EXTINF:62.500,\nt1.vtt\n');
  expect((await get('index.m3u8', { 'if-none-match': String(master.sentHeaders['ETag']) })).status).toBe(304);
});

test('the text is read once, and compressed for clients that accept it', async () => {
  const uncompressed = await get('tracks/t1.vtt');
  const compressed = await get('tracks/t1.vtt', { 'accept-encoding': 'gzip' });
  expect(uncompressed.sentHeaders).toMatchObject({
    'Content-Type': 'text/vtt; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
  });
  expect(gunzipSync(compressed.body)).toEqual(uncompressed.body);
  expect(compressed.sentHeaders['ETag']).not.toBe(uncompressed.sentHeaders['ETag']);
  expect(readCount).toBe(1);
});

test('unknown tracks, and tracks whose text is missing, are not found', async () => {
  const getWithoutText = createGet({ ...locatedAsset, tracks: [{ ...track, id: 't2' }] });
  expect((await get('tracks/t2.vtt')).status).toBe(404);
  expect((await getWithoutText('tracks/t2.vtt')).status).toBe(404);
  expect((await getWithoutText('tracks/t1.vtt')).status).toBe(404);
});
