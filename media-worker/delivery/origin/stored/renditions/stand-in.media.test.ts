import { writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renditionKey } from '@/lib/core/storage-keys';
import { newId } from '@/lib/infra/ids';
import { encodeSegment } from '@/media-worker/vod/renditions/encode-segment';
import { readDecodingErrors, storeHls } from '@/media-worker/vod/testing/rendition-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { createServeAsset } from '@/media-worker/delivery/origin/stored/serve-asset';
import { createServeRendition } from './serve-rendition';

const samples = createSampleFiles();
afterAll(() => samples.remove());

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';
const filesId = newId();
let fixture: Awaited<ReturnType<typeof storeHls>>;
beforeAll(async () => {
  const path = samples.make('film.mp4', { seconds: 8, size: '854x480', fps: '10' });
  fixture = await storeHls(samples.folder, path, filesId);
});

async function get(file: string, userAgent?: string) {
  const { storage } = fixture;
  const asset = { assetId: filesId, filesId, name: 'Film', posterTime: null, tracks: [], hasVideo: true };
  const locatedAsset = {
    ...asset,
    videoKey: '',
    sourceKey: '',
    sourceFormat: 'mp4',
    hasAudio: true,
    duration: 8,
  };
  // No segment is being encoded.
  const renditionRequests = {
    find: () => Promise.resolve(null),
    requestAhead: () => Promise.resolve(),
    findStored: ({ rendition, file }: { readonly rendition: string; readonly file: string }) =>
      storage.head(renditionKey(filesId, `${rendition}/${file}`)),
  };
  const renditions = createServeRendition({ storage, renditionRequests });
  const serve = createServeAsset({ storage, locate: () => Promise.resolve(locatedAsset), renditions });
  const headers = userAgent === undefined ? {} : { 'user-agent': userAgent };
  const path = `/abcd1234efgh5678/${file}`;
  const { status, headers: sentHeaders, body = [], stream } = await serve({ path, download: false, headers });
  const bytes = stream ? await buffer(await stream.open()) : Buffer.concat([...body]);
  return { status, sentHeaders, bytes };
}

test('Chrome gets the segment of the nearest rendition that has it, which decodes after the init segment; other players get the source', async () => {
  const { storage, source } = fixture;
  const [larger, smaller] = source?.renditions ?? [];
  if (!source || !larger || !smaller) throw new Error('the film does not have two renditions');
  expect([larger.name, smaller.name]).toEqual(['360p', '240p']);
  const sourceSegment = (await get('360p/000000.m4s', chrome)).bytes;

  const encodingOptions = {
    storage,
    dataDir: samples.folder,
    threads: 1,
    signal: new AbortController().signal,
  };
  const smallerSegment = await encodeSegment(encodingOptions, source, { rendition: smaller, index: 0 });
  await storage.put(renditionKey(filesId, '240p/000000.m4s'), smallerSegment.segment, {
    contentType: 'video/mp4',
  });
  const answer = await get('360p/000000.m4s', chrome);
  expect(answer.bytes.equals(Buffer.concat(smallerSegment.segment))).toBe(true);
  expect(answer.bytes.length).toBeLessThan(sourceSegment.length);
  // The encoded file may exist later.
  expect(answer.sentHeaders).toEqual({ 'Content-Type': 'video/iso.segment', 'Cache-Control': 'no-store' });
  for (const userAgent of [safari, undefined])
    expect((await get('360p/000000.m4s', userAgent)).bytes.equals(sourceSegment)).toBe(true);

  const largerSegment = await encodeSegment(encodingOptions, source, { rendition: larger, index: 1 });
  const path = samples.path('watched.mp4');
  writeFileSync(path, Buffer.concat([largerSegment.init, answer.bytes, ...largerSegment.segment]));
  expect(readDecodingErrors(path)).toBe('');
});

test('if no smaller rendition has the segment, a larger one is used', async () => {
  const { storage, source } = fixture;
  const segment = Buffer.from('a segment');
  const uri = source?.playlist.segments[1]?.uri ?? '';
  await storage.put(renditionKey(filesId, `360p/${uri}`), [segment], { contentType: 'video/mp4' });
  expect((await get(`240p/${uri}`, chrome)).bytes.equals(segment)).toBe(true);
});
