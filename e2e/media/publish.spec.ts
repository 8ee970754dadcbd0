import { expect, test } from '@playwright/test';
import {
  readDecoderWarnings,
  probeStreams,
  createSourceFile,
  type Encoder,
  setUpEncoders,
} from './testing/encoder';
import {
  fetchEventNames,
  hlsUrl,
  ApiAccount,
  rtmpUrl,
  fetchSessionRows,
  fetchStatus,
  waitUntil,
} from './testing/service';

let owner: ApiAccount;
let source: string;
const startEncoder = setUpEncoders();

test.beforeAll(async () => {
  [owner, source] = await Promise.all([ApiAccount.create(), createSourceFile()]);
});

function publish(url: string, outputArgs?: readonly string[]): Encoder {
  return startEncoder(source, url, outputArgs);
}

test('a publish makes a stream playable and counts its segments, and the stream is idle after the publish', async () => {
  const stream = await owner.createStream();
  expect(await fetchStatus(hlsUrl(stream.playbackId))).toBe(404);
  const encoder = publish(rtmpUrl(stream.streamKey));

  const waitUntilListed = (file: string) =>
    waitUntil(async () => (await fetchStatus(hlsUrl(stream.playbackId, file))) === 200);
  await Promise.all([
    waitUntilListed('index.m3u8'),
    waitUntilListed('index.m3u8?ll=0'),
    owner.waitUntilActive(stream.id),
  ]);
  expect(await fetchEventNames(stream.id)).toEqual(['stream.started']);

  const codecNames = (await probeStreams(hlsUrl(stream.playbackId))).map((track) => track.codec_name).sort();
  expect(codecNames).toEqual(['aac', 'h264']);
  expect(await readDecoderWarnings(hlsUrl(stream.playbackId), 4)).toBe('');
  const masterPlaylist = await (await fetch(hlsUrl(stream.playbackId))).text();
  expect(masterPlaylist).toMatch(
    /CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2",RESOLUTION=640x360,FRAME-RATE=30\.000/,
  );

  const firstRead = await owner.readStream(stream.id);
  // Progress is written every 5 s, so the first read may already count three segments.
  await waitUntil(async () => {
    const { sourceSegments, lastSeen } = await owner.readStream(stream.id);
    return sourceSegments >= 3 && lastSeen > firstRead.lastSeen;
  });
  const laterRead = await owner.readStream(stream.id);
  // The source has a keyframe every 2 s, so a segment has 2 s.
  expect(laterRead.sourceSegmentsDuration).toBeCloseTo(laterRead.sourceSegments * 2, 0);
  expect(laterRead.sourceBytes).toBeGreaterThan(10_000);
  expect(laterRead).toMatchObject({ isHealthy: true, issues: null });

  await encoder.stop();
  await owner.waitUntilIdle(stream.id);
  expect(await fetchStatus(hlsUrl(stream.playbackId))).toBe(404);
  expect(await fetchStatus(hlsUrl(stream.playbackId, 'source/index.m3u8'))).toBe(404);
  expect(await fetchEventNames(stream.id)).toEqual(['stream.started', 'stream.idle']);
  expect(await fetchSessionRows(stream.id)).toMatchObject([{ state: 'waiting' }]);
});

test('a publish with an unsupported codec is rejected with an issue on the stream, and a later publish succeeds', async () => {
  const stream = await owner.createStream();
  // The ffmpeg encoder `flv` makes Sorenson H.263, which the service does not accept.
  const encoder = publish(rtmpUrl(stream.streamKey), ['-an', '-c:v', 'flv', '-s', '320x180']);
  await encoder.whenEnded();
  const rejectedStream = await owner.readStream(stream.id);
  expect(rejectedStream).toMatchObject({ isActive: false, isHealthy: false });
  expect(rejectedStream.issues?.join()).toContain('H.264, HEVC and AV1 are accepted');
  await expect.poll(() => fetchEventNames(stream.id)).toEqual(['stream.rejected']);

  publish(rtmpUrl(stream.streamKey));
  await owner.waitUntilActive(stream.id);
  expect(await owner.readStream(stream.id)).toMatchObject({ isHealthy: true, issues: null });
});
