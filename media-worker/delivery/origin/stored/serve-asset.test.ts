import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { LocatedAsset } from '@/lib/domain/assets';
import { openLocalStorage } from '@/lib/infra/storage/local-driver';
import { createServeAsset } from './serve-asset';

const root = mkdtempSync(join(tmpdir(), 'serve-asset-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const storage = openLocalStorage(root);
const key = 'asset/one/source.mp4';
const locatedAsset: LocatedAsset = {
  assetId: 'one',
  filesId: 'one',
  name: 'Film',
  videoKey: key,
  sourceKey: key,
  sourceFormat: 'mp4',
  hasAudio: false,
  hasVideo: true,
  posterTime: null,
  duration: 10,
  tracks: [],
};

test('an asset that was requested too early is served as soon as it is ready, and its lookup is cached only then', async () => {
  await storage.put(key, Buffer.from('video'));
  let [asset, lookupCount] = [null as LocatedAsset | null, 0];
  const serve = createServeAsset({
    storage,
    locate: () => {
      lookupCount++;
      return Promise.resolve(asset);
    },
  });
  const status = async () =>
    (await serve({ path: '/abcdefgh12345678/video', download: false, headers: {} })).status;
  expect(await status()).toBe(404);
  asset = locatedAsset;
  expect([await status(), await status()]).toEqual([200, 200]);
  expect(lookupCount).toBe(2);
});

test('while the database is unavailable, cached assets are served, and others fail', async () => {
  await storage.put(key, Buffer.from('video'));
  let [nowMs, isDatabaseAway] = [0, false];
  const serve = createServeAsset({
    storage,
    clock: { now: () => new Date(nowMs), monotonic: () => nowMs },
    locate: () => (isDatabaseAway ? Promise.reject(new Error('no database')) : Promise.resolve(locatedAsset)),
  });
  const requestVideo = (playbackId: string) =>
    serve({ path: `/${playbackId}/video`, download: false, headers: {} });
  expect((await requestVideo('abcdefgh12345678')).status).toBe(200);
  isDatabaseAway = true;
  nowMs += 60_000;
  expect((await requestVideo('abcdefgh12345678')).status).toBe(200);
  await expect(requestVideo('neverseen1234567')).rejects.toThrow('no database');
});
