import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatMasterPlaylist } from '@/lib/core/hls/playlist';
import { assetKey } from '@/lib/core/storage-keys';
import { newId } from '@/lib/infra/ids';
import { openLocalStorage } from '@/lib/infra/storage/local-driver';
import { writeIndexedHls } from '@/media-worker/vod/index/testing/write-hls';
import { readDecodingErrors } from '@/media-worker/vod/testing/rendition-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { encodeSegment } from './encode-segment';
import { MAX_PERIODS, periodOfFile, readRenditionSource } from './rendition-source';
import { openSubstitute } from './substitute-segment';

const samples = createSampleFiles();
const storage = openLocalStorage(join(samples.folder, 'storage'));
afterAll(() => samples.remove());

/** Stores one HLS after the other, each with the name of its period, as for a recording. */
async function storeRecording(filesId: string, periods: readonly (readonly [string, string])[]) {
  const put = (file: string, data: Buffer | string) =>
    storage.put(assetKey(filesId, `hls/${file}`), Buffer.from(data));
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:6'];
  for (const [index, [period, folder]] of periods.entries()) {
    await put(`source/init-${period}.mp4`, readFileSync(join(folder, 'source/init.mp4')));
    if (index > 0) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(`#EXT-X-MAP:URI="init-${period}.mp4"`);
    const mediaPlaylist = readFileSync(join(folder, 'source/index.m3u8'), 'utf8');
    for (const [, seconds = '', name = ''] of mediaPlaylist.matchAll(/#EXTINF:([\d.]+),\n(.+)/g)) {
      lines.push(`#EXTINF:${seconds},`, `${period}_${name}`);
      await put(`source/${period}_${name}`, readFileSync(join(folder, 'source', name)));
    }
  }
  await put('source/index.m3u8', [...lines, '#EXT-X-ENDLIST', ''].join('\n'));
  const masterPlaylist = formatMasterPlaylist([
    {
      uri: 'source/index.m3u8',
      bandwidth: 900_000,
      averageBandwidth: 800_000,
      frameRate: 10,
      codecs: ['avc1.42c01f', 'avc1.640028', 'mp4a.40.2'],
      resolution: { width: 854, height: 480 },
      independent: true,
    },
  ]);
  await put('index.m3u8', masterPlaylist);
}

let landscapeFolder = '';
let portraitFolder = '';
beforeAll(async () => {
  const createHls = async (name: string, size: string) => {
    const folder = samples.path(name);
    const path = samples.make(`${name}.mp4`, { seconds: 7, size, fps: '10' });
    await writeIndexedHls(path, folder, { frameRate: 10, dataDir: samples.folder });
    return folder;
  };
  landscapeFolder = await createHls('wide', '854x480');
  portraitFolder = await createHls('tall', '480x854');
});

const sizeOf = (path: string): string => {
  const entries = ['-select_streams', 'v', '-show_entries', 'stream=width,height', '-of', 'csv=p=0'];
  return execFileSync('ffprobe', ['-v', 'error', ...entries, path])
    .toString()
    .trim();
};

test('a recording with several periods has renditions whose sizes follow those of the source', async () => {
  const filesId = newId();
  await storeRecording(filesId, [
    ['1', landscapeFolder],
    ['2', portraitFolder],
    ['3', landscapeFolder],
  ]);
  const source = (await readRenditionSource(storage, filesId)) ?? expect.unreachable();
  expect(source.renditions.map(({ name }) => name)).toEqual(['360p', '240p']);
  expect(source.master).toContain('CODECS="avc1.64001e,mp4a.40.2"');
  const [, small] = source.renditions;
  const encodingOptions = {
    storage,
    dataDir: samples.folder,
    threads: 1,
    signal: new AbortController().signal,
  };
  const rendition = small ?? expect.unreachable();
  const sizes = { '1': '428,240', '2': '240,428', '3': '428,240' };
  for (const [period, size] of Object.entries(sizes)) {
    const encodedSegments: Buffer[] = [];
    // The files that are sent if a segment is not encoded in time.
    const substitutedSegments: Buffer[] = [];
    for (const [index, { uri, init: name }] of source.playlist.segments.entries()) {
      if (name !== `init-${period}.mp4`) continue;
      const { init, segment } = await encodeSegment(encodingOptions, source, { rendition, index });
      for (const pieces of [encodedSegments, substitutedSegments]) if (pieces.length === 0) pieces.push(init);
      encodedSegments.push(...segment);
      substitutedSegments.push(await buffer(await (await openSubstitute(storage, source, uri)).open()));
    }
    for (const pieces of [encodedSegments, substitutedSegments]) {
      const path = samples.path(`period-${period}.mp4`);
      writeFileSync(path, Buffer.concat(pieces));
      expect([period, readDecodingErrors(path)]).toEqual([period, '']);
      if (pieces === encodedSegments) expect([period, sizeOf(path)]).toEqual([period, size]);
    }
  }
  expect(periodOfFile(source, 'init-2.mp4').size).toEqual({ width: 480, height: 854 });
  expect(() => periodOfFile(source, 'init-4.mp4')).toThrow('does not list');
});

test('a recording with more periods than `MAX_PERIODS` has no renditions', async () => {
  const filesId = newId();
  const periods = Array.from(
    { length: MAX_PERIODS + 1 },
    (_, index) => [String(index), portraitFolder] as const,
  );
  await storeRecording(filesId, periods);
  expect(await readRenditionSource(storage, filesId)).toBeNull();
});
