import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, type Page } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { readEnhancedClip } from '@/media-worker/ingest/rtmp/testing/enhanced-clip';
import { readDecoderWarnings } from '../media/testing/encoder';
import { createRecordingChecks } from '../media/testing/recordings';
import {
  endReconnectWindow,
  hlsUrl,
  ApiAccount,
  rtmpUrl,
  fetchStatus,
  waitUntil,
} from '../media/testing/service';
import { playWithHlsJs, playWithShaka, readStats, readCurrentTime } from './play-in-page';
import { RawEncoder, type FlvSource } from './raw-encoder';

// Streams in HEVC and AV1: playback, recordings and downloads. Chromium decodes AV1, but not HEVC.

const execFileAsync = promisify(execFile);
const codedSources: Record<'hevc' | 'av1', FlvSource | null> = { hevc: null, av1: null };
const encoderArgs = {
  hevc: [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-tag:v',
    'hvc1',
    '-x265-params',
    'log-level=none:open-gop=0',
  ],
  av1: ['-c:v', 'libsvtav1', '-preset', '12'],
};
let owner: ApiAccount;
let folder = '';

test.beforeAll(async () => {
  owner = await ApiAccount.create();
  folder = await mkdtemp(join(tmpdir(), 'coded-video-'));
  for (const codec of ['hevc', 'av1'] as const) {
    const path = join(folder, `${codec}.mp4`);
    await execFileAsync('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=30'],
      ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-t', '20', '-pix_fmt', 'yuv420p'],
      ...[...encoderArgs[codec], '-g', '60', '-c:a', 'aac', path],
    ]);
    codedSources[codec] = await readEnhancedClip(path);
  }
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

const smallProfile = { name: 'small', width: 256, height: 144, bitrate: 200_000, fps: 0 };

async function publish(codec: 'hevc' | 'av1', streamKey: string): Promise<RawEncoder> {
  const { port } = new URL(rtmpUrl(streamKey).replace('rtmp:', 'http:'));
  const source = codedSources[codec];
  if (!source) throw new Error('The source was not encoded');
  return RawEncoder.start(Number(port), streamKey, source, (tag) => tag);
}

async function probeVideo(input: string): Promise<{ codec_name: string; codec_tag_string: string }[]> {
  const entries = [
    '-select_streams',
    'v',
    '-show_entries',
    'stream=codec_name,codec_tag_string',
    '-of',
    'json',
  ];
  const { stdout } = await execFileAsync('ffprobe', ['-v', 'error', ...entries, input]);
  return (JSON.parse(stdout) as { streams: { codec_name: string; codec_tag_string: string }[] }).streams;
}

/**
 * Creates a clip of four seconds of a stream that is being recorded, and waits until it is ready.
 * @returns the URL of the clip's master playlist
 */
async function createClip(playbackId: string): Promise<string> {
  const endTime = Date.now() - 6_000;
  const clipResponse = await owner.request('POST', '/api/clip', {
    playbackId,
    startTime: endTime - 4_000,
    endTime,
  });
  expect(clipResponse.status).toBe(200);
  const { asset } = (await clipResponse.json()) as { asset: Asset };
  let clipAsset = asset;
  await waitUntil(async () => {
    clipAsset = (await (await owner.request('GET', `/api/asset/${asset.id}`)).json()) as Asset;
    expect(clipAsset.status.errorMessage).toBeUndefined();
    return clipAsset.status.phase === 'ready';
  });
  return clipAsset.playbackUrl ?? '';
}

const readMasterPlaylist = async (playbackId: string) => (await fetch(hlsUrl(playbackId))).text();
const expectTimeAfter = (page: Page, seconds: number) =>
  expect.poll(() => readCurrentTime(page), { intervals: [500] }).toBeGreaterThan(seconds);

for (const [codec, streamInfPattern, codecTag] of [
  ['hevc', /CODECS="hvc1\.1\.6\.L\d+\.90,mp4a\.40\.2",RESOLUTION=640x360/, 'hvc1'],
  ['av1', /CODECS="av01\.0\.\d\dM\.08,mp4a\.40\.2",RESOLUTION=640x360/, 'av01'],
] as const)
  test(`a stream in ${codec} is delivered, clipped and recorded in ${codec}, with an H.264 rendition for other players and targets`, async ({
    browser,
  }) => {
    await using target = await startIngest({
      limits: { handshakeTimeoutMs: 30_000, publishTimeoutMs: 60_000 },
    });
    const url = `rtmp://127.0.0.1:${target.port}/live/good-key`;
    const targetResponse = await owner.request('POST', '/api/multistream/target', { url });
    const targets = [{ id: ((await targetResponse.json()) as { id: string }).id, profile: 'source' }];
    const fields = { record: true, profiles: [smallProfile], multistream: { targets } };
    const { id, streamKey, playbackId } = await owner.createStream(fields);
    const encoder = await publish(codec, streamKey);
    const pages: Page[] = [];
    try {
      await waitUntil(async () => (await fetchStatus(hlsUrl(playbackId))) === 200);
      await createRecordingChecks(owner).waitForSourceSegments({ id }, 3);
      await waitUntil(async () => /avc1/.test(await readMasterPlaylist(playbackId)));
      expect(await readMasterPlaylist(playbackId)).toMatch(streamInfPattern);
      expect(await probeVideo(hlsUrl(playbackId, 'source/index.m3u8?ll=0'))).toMatchObject([
        { codec_name: codec },
      ]);
      expect(await readDecoderWarnings(hlsUrl(playbackId, 'source/index.m3u8?ll=0'), 4)).toBe('');
      expect(await readDecoderWarnings(hlsUrl(playbackId, 'small/index.m3u8?ll=0'), 4)).toBe('');
      const [hlsJs, shaka] = [await browser.newPage(), await browser.newPage()];
      pages.push(hlsJs, shaka);
      await playWithHlsJs(hlsJs, hlsUrl(playbackId), { lowLatencyMode: true });
      await playWithShaka(shaka, hlsUrl(playbackId));
      for (const page of pages) await expectTimeAfter(page, 8);
      expect((await readStats(hlsJs)).fatal).toEqual([]);
      await expect(shaka).not.toHaveTitle(/error/);
      const sourceUrls = (await readStats(hlsJs)).loadedUrls.filter((url) => url.includes('/source/'));
      // The player does not load media that it cannot decode.
      if (codec === 'hevc') expect(sourceUrls).toEqual([]);
      expect((await owner.readStream(id)).isHealthy).toBe(true);
      const clipUrl = await createClip(playbackId);
      expect(await probeVideo(clipUrl)).toMatchObject([{ codec_name: codec }]);
      expect(await readDecoderWarnings(clipUrl, 10)).toBe('');
      // The multistream target supports only H.264, so it receives the H.264 rendition in place of the source.
      await waitUntil(() => Promise.resolve((target.publishes[0]?.sink.packets.length ?? 0) > 100));
      const videoPackets = target.publishes
        .flatMap(({ sink }) => sink.packets)
        .filter(({ kind }) => kind === 'video');
      expect(new Set(videoPackets.map(({ codec }) => codec))).toEqual(new Set(['avc']));
    } finally {
      await encoder.stop();
      await Promise.all(pages.map((page) => page.close()));
    }
    await owner.waitUntilIdle(id);
    await endReconnectWindow(id);
    const { mp4Url = '', recordingUrl = '' } = await createRecordingChecks(owner).waitForReadyRecording({
      id,
    });
    expect(await probeVideo(mp4Url)).toMatchObject([{ codec_name: codec, codec_tag_string: codecTag }]);
    expect(await readDecoderWarnings(mp4Url, 60)).toBe('');
    expect(await readDecoderWarnings(new URL('source/index.m3u8', recordingUrl).href, 60)).toBe('');
    expect(await (await fetch(recordingUrl)).text()).toMatch(streamInfPattern);
  });

test('a stream with only AV1 plays on the watch page before, during and after a slate, and its recording plays in hls.js', async ({
  page,
  baseURL,
}) => {
  const { id, streamKey, playbackId } = await owner.createStream({
    record: true,
    slate: true,
    slateSeconds: 120,
  });
  let encoder = await publish('av1', streamKey);
  try {
    await page.goto(new URL(`/watch/${playbackId}`, baseURL).href);
    await expectTimeAfter(page, 6);
    await waitUntil(async () => (await owner.readStream(id)).issues?.join().includes('AV1') === true);
    await encoder.stop();
    await waitUntil(async () => (await owner.readStream(id)).program?.input === 'slate');
    await expectTimeAfter(page, (await readCurrentTime(page)) + 8);
    encoder = await publish('av1', streamKey);
    await waitUntil(async () => (await owner.readStream(id)).program?.input === 'primary');
    await expectTimeAfter(page, (await readCurrentTime(page)) + 8);
  } finally {
    await encoder.stop();
  }
  await owner.request('DELETE', `/api/stream/${id}/terminate`);
  await owner.waitUntilIdle(id);
  await endReconnectWindow(id);
  const { recordingUrl = '' } = await createRecordingChecks(owner).waitForReadyRecording({ id });
  const recording = await page.context().newPage();
  await playWithHlsJs(recording, recordingUrl, { lowLatencyMode: false });
  await expectTimeAfter(recording, 6);
  expect((await readStats(recording)).fatal).toEqual([]);
});

test('a stream with only HEVC shows a message in a browser without a decoder, and plays after an H.264 profile is added', async ({
  page,
  baseURL,
}) => {
  const { id, streamKey, playbackId } = await owner.createStream();
  const encoder = await publish('hevc', streamKey);
  try {
    await owner.waitUntilActive(id);
    await page.goto(new URL(`/watch/${playbackId}`, baseURL).href);
    await expect(page.locator('[data-phase]')).toHaveAttribute('data-phase', 'unplayable');
    await expect(page.getByText('This browser can’t play this video')).toBeVisible();
    // A profile makes the stream playable without a reload.
    await owner.request('PATCH', `/api/stream/${id}`, { profiles: [smallProfile] });
    await expectTimeAfter(page, 3);
  } finally {
    await encoder.stop();
  }
});
