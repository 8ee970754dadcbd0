import { expect, test } from '@playwright/test';
import { complaintsOfDecoder, Encoder, probe, sourceFile } from './testing/encoder';
import { eventsOf, hlsUrl, Owner, rtmpUrl, sessionsOf, statusOf, until } from './testing/service';

let owner: Owner;
let source: string;
const encoders: Encoder[] = [];

test.beforeAll(async () => {
  [owner, source] = await Promise.all([Owner.create(), sourceFile()]);
});
test.afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));

function publish(url: string, output?: readonly string[]): Encoder {
  const encoder = new Encoder(source, url, output);
  encoders.push(encoder);
  return encoder;
}

test('from publish to HLS and back to idle', async () => {
  const stream = await owner.newStream();
  expect(await statusOf(hlsUrl(stream.playbackId))).toBe(404);
  const encoder = publish(rtmpUrl(stream.streamKey));

  const listedCount = (file: string) =>
    until(async () => (await statusOf(hlsUrl(stream.playbackId, file))) === 200);
  await Promise.all([
    listedCount('index.m3u8'),
    listedCount('index.m3u8?ll=0'),
    owner.untilActive(stream.id, true),
  ]);
  expect(await eventsOf(stream.id)).toEqual(['stream.started']);

  const codecNames = (await probe(hlsUrl(stream.playbackId))).map((track) => track.codec_name).sort();
  expect(codecNames).toEqual(['aac', 'h264']);
  expect(await complaintsOfDecoder(hlsUrl(stream.playbackId), 4)).toBe('');
  const master = await (await fetch(hlsUrl(stream.playbackId))).text();
  expect(master).toMatch(/CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2",RESOLUTION=640x360,FRAME-RATE=30\.000/);

  const first = await owner.stream(stream.id);
  // Progress is written every 5 s, so the first read may already count three segments.
  await until(async () => {
    const { sourceSegments, lastSeen } = await owner.stream(stream.id);
    return sourceSegments >= 3 && lastSeen > first.lastSeen;
  });
  const later = await owner.stream(stream.id);
  expect(later.sourceSegmentsDuration).toBeCloseTo(later.sourceSegments * 2, 0);
  expect(later.sourceBytes).toBeGreaterThan(10_000);
  expect(later).toMatchObject({ isHealthy: true, issues: null });

  await encoder.stop();
  await owner.untilActive(stream.id, false);
  expect(await statusOf(hlsUrl(stream.playbackId))).toBe(404);
  expect(await statusOf(hlsUrl(stream.playbackId, 'source/index.m3u8'))).toBe(404);
  expect(await eventsOf(stream.id)).toEqual(['stream.started', 'stream.idle']);
  expect(await sessionsOf(stream.id)).toMatchObject([{ state: 'waiting' }]);
});

test('an unsupported codec is rejected, with the reason on the stream', async () => {
  const stream = await owner.newStream();
  const encoder = publish(rtmpUrl(stream.streamKey), ['-an', '-c:v', 'flv', '-s', '320x180']);
  await encoder.whenEnded();
  const refusedStream = await owner.stream(stream.id);
  expect(refusedStream).toMatchObject({ isActive: false, isHealthy: false });
  expect(refusedStream.issues?.join()).toContain('H.264, HEVC and AV1 are accepted');
  await expect.poll(() => eventsOf(stream.id)).toEqual(['stream.rejected']);

  publish(rtmpUrl(stream.streamKey));
  await owner.untilActive(stream.id, true);
  expect(await owner.stream(stream.id)).toMatchObject({ isHealthy: true, issues: null });
});
