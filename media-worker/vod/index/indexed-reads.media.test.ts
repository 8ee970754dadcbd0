import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseStoredPlaylist } from '@/lib/core/hls/read-playlist';
import { assetKey, hlsPrefix, indexKey } from '@/lib/core/storage-keys';
import { type FileSpec, createVideoSpec } from '@/lib/core/media/video-spec';
import { type StorageDriver, openStorage } from '@/lib/infra/storage';
import { startS3Server } from '@/lib/infra/storage/testing/s3-server';
import { acceptFile } from '@/media-worker/vod/import/accept-file';
import { publishIndex } from '@/media-worker/vod/import/publish-index';
import { IndexRepair } from '@/media-worker/vod/import/repair-index';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { createIndexedReads } from './indexed-reads';
import { writeIndexedHls } from './testing/write-hls';

const samples = createSampleFiles();
const s3 = await startS3Server();
const dataDir = samples.path('data');
const storages: Record<string, StorageDriver> = {
  'local disk': openStorage({ dataDir }),
  S3: openStorage({ dataDir, s3: s3.settings }),
};
afterAll(async () => {
  await s3.close();
  samples.remove();
});

const filesId = 'film';
let spec: FileSpec;
let path: string;
/** Folder with the HLS files of the same video, written without tags in their names. */
let untaggedFolder: string;
beforeAll(async () => {
  path = samples.make('film.mp4', { seconds: 14, fps: '25', output: ['-bf', '2', '-g', '50'] });
  const acceptance = await acceptFile(path);
  if (!acceptance.accepted) throw new Error(acceptance.reason);
  spec = createVideoSpec(acceptance.report);
  untaggedFolder = samples.path('plain');
  await writeIndexedHls(path, untaggedFolder, { frameRate: 25, dataDir });
});

/** Stores the video and its index as the files of the asset. */
async function storeVideoWithIndex(storage: StorageDriver): Promise<void> {
  await storage.put(assetKey(filesId, 'source.mp4'), readFileSync(path));
  const indexOptions = { storage, dataDir, scratch: samples.folder, signal: new AbortController().signal };
  const contentHash = createHash('sha256').update(readFileSync(path)).digest('hex');
  const publishResult = await publishIndex(indexOptions, filesId, {
    path,
    file: 'source.mp4',
    spec,
    contentHash,
  });
  expect(publishResult).toMatchObject({ seconds: expect.closeTo(14, 1) as number });
}

function createRepair(storage: StorageDriver) {
  const log = { warn: () => undefined };
  const repair = new IndexRepair({ storage, settings: { dataDir }, log });
  return vi.fn((id: string) => repair.repair(id));
}

type Reads = ReturnType<typeof createIndexedReads>;
const keyOf = (file: string) => assetKey(filesId, `hls/${file}`);
async function readHlsFile(
  reads: Reads,
  file: string,
  range?: { start: number; end: number },
): Promise<Buffer> {
  const source = await reads.read(keyOf(file), range);
  if (!source) throw new Error(`${file} is missing`);
  return buffer(source);
}
async function playlistOf(reads: Reads) {
  const source = await reads.read(keyOf('source/index.m3u8'));
  const playlist = source && parseStoredPlaylist(await text(source));
  if (!playlist) throw new Error('The playlist is missing');
  return playlist;
}
const untaggedFile = (file: string) =>
  readFileSync(`${untaggedFolder}/source/${file.replace(/^[0-9a-f]{12}-/, '')}`);

test.each(Object.keys(storages))(
  'segments read from %s equal those of a stored copy, whole and in ranges',
  async (name) => {
    const storage = storages[name] ?? expect.unreachable();
    await storeVideoWithIndex(storage);
    const reads = createIndexedReads(storage);
    const { inits, segments } = await playlistOf(reads);
    expect(segments.length).toBeGreaterThan(1);
    const etags = new Set<string>();
    for (const file of [...inits, ...segments.map(({ uri }) => uri)]) {
      const expectedBytes = untaggedFile(file);
      const head = await reads.head(keyOf(`source/${file}`));
      expect(head?.bytes).toBe(expectedBytes.length);
      etags.add(head?.etag ?? '');
      for (const _ of [1, 2]) {
        expect((await readHlsFile(reads, `source/${file}`)).equals(expectedBytes)).toBe(true);
        for (const [start, end] of [
          [0, 0],
          [7, 900],
          [expectedBytes.length - 5, expectedBytes.length - 1],
          [3, 10 ** 9],
        ] as const)
          // prettier-ignore
          expect((await readHlsFile(reads, `source/${file}`, { start, end })).equals(expectedBytes.subarray(start, end + 1))).toBe(true); // prettier-ignore
      }
    }
    expect([...etags]).toHaveLength(1);
    expect(
      (await readHlsFile(reads, 'index.m3u8')).equals(readFileSync(`${untaggedFolder}/index.m3u8`)),
    ).toBe(true);
    const [first] = segments;
    // The tag has 12 digits, and a hyphen follows it.
    const untaggedName = first?.uri.slice(13) ?? '';
    for (const file of [
      untaggedName,
      `000000000000-${untaggedName}`,
      first?.uri.replace('000000', '000099') ?? '',
    ])
      expect([file, await reads.head(keyOf(`source/${file}`))]).toEqual([file, null]);
    let storedBytes = 0;
    for await (const { bytes } of storage.list(assetKey(filesId, ''))) storedBytes += bytes;
    expect(storedBytes).toBeLessThan(readFileSync(path).length * 1.02);
  },
);

test('a deleted file is no longer served from memory within two seconds', async () => {
  const storage = storages['local disk'] ?? expect.unreachable();
  await storeVideoWithIndex(storage);
  const reads = createIndexedReads(storage);
  const { segments } = await playlistOf(reads);
  const file = `source/${segments[0]?.uri ?? ''}`;
  for (const _ of [1, 2]) await readHlsFile(reads, file);
  await storage.deletePrefix(`asset/${filesId}/`);
  await expect.poll(() => reads.head(keyOf(file)), { timeout: 2_000 }).toBeNull();
  expect(await reads.read(keyOf(file))).toBeNull();
});

test('a segment that is requested twice is kept in memory, once for all readers', async () => {
  const storage = storages['local disk'] ?? expect.unreachable();
  await storeVideoWithIndex(storage);
  const reads = createIndexedReads(storage);
  const { segments } = await playlistOf(reads);
  const uri = segments[0]?.uri ?? '';
  const key = keyOf(`source/${uri}`);
  expect(await reads.cachedBytes?.(key)).toBeNull();
  const cachedBytes = await reads.cachedBytes?.(key);
  expect(cachedBytes?.equals(untaggedFile(uri))).toBe(true);
  expect(await reads.cachedBytes?.(key)).toBe(cachedBytes);
  expect(await reads.cachedBytes?.(keyOf('source/index.m3u8'))).toBeNull();
});

/** Ways to damage a stored index. Byte 7 is in its version, byte 60 in its head, and the lines of its segments are at its end. */
const faults: Record<string, (storage: StorageDriver) => Promise<unknown>> = {
  missing: (storage) => storage.delete(indexKey(filesId)),
  'cut off': (storage) => storage.put(indexKey(filesId), Buffer.from('HWIX')),
  'of another version': async (storage) => storage.put(indexKey(filesId), await withChangedByte(storage, 7)),
  'damaged in its table': async (storage) =>
    storage.put(indexKey(filesId), await withChangedByte(storage, 60)),
  'damaged in a segment': async (storage) =>
    storage.put(indexKey(filesId), await withChangedByte(storage, -40)),
  'of another file': async (storage) => {
    const indexOptions = { storage, dataDir, scratch: samples.folder, signal: new AbortController().signal };
    const otherFile = samples.make('other.mp4', { seconds: 2 });
    await publishIndex(indexOptions, filesId, {
      path: otherFile,
      file: 'source.mp4',
      spec,
      contentHash: 'cd',
    });
  },
};
async function withChangedByte(storage: StorageDriver, offset: number): Promise<Buffer> {
  const source = await storage.read(indexKey(filesId));
  const bytes = source ? await buffer(source) : Buffer.alloc(0);
  const position = offset < 0 ? bytes.length + offset : offset;
  bytes.writeUInt8(bytes.readUInt8(position) ^ 0x55, position);
  return bytes;
}

test.each(Object.entries(faults))('an index that is %s is recreated', async (_, damageIndex) => {
  const storage = storages['local disk'] ?? expect.unreachable();
  await storeVideoWithIndex(storage);
  await damageIndex(storage);
  const repair = createRepair(storage);
  const reads = createIndexedReads(storage, { repair });
  const viewers = await Promise.all(Array.from({ length: 8 }, () => playlistOf(reads)));
  const { segments } = viewers[0] ?? expect.unreachable();
  // Segments are served at the URLs of the playlist even if some of their lines in the index are damaged.
  for (const { uri } of segments.toReversed())
    expect((await readHlsFile(reads, `source/${uri}`)).equals(untaggedFile(uri))).toBe(true);
  expect(repair).toHaveBeenCalled();
  expect(await storage.head(indexKey(filesId))).not.toBeNull();
});

test('a copy is served if there is no index, and no index is created for other names', async () => {
  const storage = storages['local disk'] ?? expect.unreachable();
  await storeVideoWithIndex(storage);
  await storage.delete(indexKey(filesId));
  const repair = createRepair(storage);
  const reads = createIndexedReads(storage, { repair });
  await storage.put(`${hlsPrefix(filesId)}index.m3u8`, Buffer.from('#EXTM3U copy'));
  expect((await readHlsFile(reads, 'index.m3u8')).toString()).toBe('#EXTM3U copy');
  for (const file of ['source/000001.m4s', 'a/b.mp4', 'other.m3u8'])
    expect(await reads.head(keyOf(file))).toBeNull();
  expect(repair).not.toHaveBeenCalled();
  // The index takes precedence.
  await storeVideoWithIndex(storage);
  expect((await readHlsFile(reads, 'index.m3u8')).toString()).toContain('source/index.m3u8');
  await storage.deletePrefix(hlsPrefix(filesId));
});

test('a file that cannot be indexed is read once, not for each viewer', async () => {
  const storage = storages['local disk'] ?? expect.unreachable();
  await storage.deletePrefix(`asset/${filesId}/`);
  await storage.put(assetKey(filesId, 'source.mp4'), Buffer.from('no movie'));
  const withFile = vi.spyOn(storage, 'withFile');
  const reads = createIndexedReads(storage, { repair: createRepair(storage) });
  for (const _ of [1, 2, 3]) expect(await reads.head(keyOf('index.m3u8'))).toBeNull();
  // The source was read only once, without creating an MP4.
  expect(withFile).toHaveBeenCalledTimes(1);
});
