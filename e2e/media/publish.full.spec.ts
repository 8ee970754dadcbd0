import { expect, test } from '@playwright/test';
import { complaintsOfDecoder, Encoder, probe, sourceFile } from './testing/encoder';
import {
  askForTestPattern,
  childrenOf,
  eventsOf,
  hlsUrl,
  Owner,
  processOf,
  promptMs,
  rtmpUrl,
  sessionsOf,
  statusOf,
  toldAfter,
  until,
} from './testing/service';

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

  const listed = (file: string) =>
    until(async () => (await statusOf(hlsUrl(stream.playbackId, file))) === 200);
  const [parts, whole] = [listed('index.m3u8'), listed('index.m3u8?ll=0')];
  const active = owner.untilActive(stream.id, true);
  // Far less than the minute that each may take: the first segment and the flag come together.
  expect(Math.abs((await whole) - (await active))).toBeLessThan(10_000);
  // Parts can be played before there is a segment of 2 s; a busy test may see both at once.
  expect(await parts).toBeLessThan((await whole) + 1_000);
  expect(await eventsOf(stream.id)).toEqual(['stream.started']);

  const found = (await probe(hlsUrl(stream.playbackId))).map((track) => track.codec_name).sort();
  expect(found).toEqual(['aac', 'h264']);
  expect(await complaintsOfDecoder(hlsUrl(stream.playbackId), 4)).toBe('');
  const master = await (await fetch(hlsUrl(stream.playbackId))).text();
  expect(master).toMatch(/CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2",RESOLUTION=640x360,FRAME-RATE=30\.000/);

  const first = await owner.stream(stream.id);
  // Progress is written every 5 s: the first read may already hold three segments.
  await until(async () => {
    const { sourceSegments, lastSeen } = await owner.stream(stream.id);
    return sourceSegments >= 3 && lastSeen > first.lastSeen;
  });
  const later = await owner.stream(stream.id);
  expect(Date.now() - later.lastSeen).toBeLessThan(60_000);
  expect(later.sourceSegmentsDuration).toBeCloseTo(later.sourceSegments * 2, 0);
  expect(later.sourceBytes).toBeGreaterThan(10_000);
  expect(later).toMatchObject({ isHealthy: true, issues: null });

  await encoder.stop();
  const stopped = Date.now();
  await owner.untilActive(stream.id, false);
  expect(await toldAfter(stopped, stream.id, 'stream.idle')).toBeLessThan(promptMs);
  expect(await statusOf(hlsUrl(stream.playbackId))).toBe(404);
  expect(await statusOf(hlsUrl(stream.playbackId, 'source/index.m3u8'))).toBe(404);
  expect(await eventsOf(stream.id)).toEqual(['stream.started', 'stream.idle']);
  expect(await sessionsOf(stream.id)).toMatchObject([{ state: 'waiting' }]);
});

for (const { name, output, codecs } of [
  { name: 'video alone', output: ['-an', '-c:v', 'copy'], codecs: ['h264'] },
  { name: 'sound alone', output: ['-vn', '-c:a', 'copy'], codecs: ['aac'] },
]) {
  test(`${name} plays too`, async () => {
    const stream = await owner.newStream();
    publish(rtmpUrl(stream.streamKey), output);
    await owner.untilActive(stream.id, true);
    expect((await probe(hlsUrl(stream.playbackId))).map((track) => track.codec_name)).toEqual(codecs);
  });
}

test('a codec that is not offered is refused with its reason on the stream', async () => {
  const stream = await owner.newStream();
  const encoder = publish(rtmpUrl(stream.streamKey), ['-an', '-c:v', 'flv', '-s', '320x180']);
  await encoder.ended();
  const refused = await owner.stream(stream.id);
  expect(refused).toMatchObject({ isActive: false, isHealthy: false });
  expect(refused.issues?.join()).toContain('H.264 is accepted');
  await expect.poll(() => eventsOf(stream.id)).toEqual(['stream.rejected']);

  publish(rtmpUrl(stream.streamKey));
  await owner.untilActive(stream.id, true);
  expect(await owner.stream(stream.id)).toMatchObject({ isHealthy: true, issues: null });
});

test('an unknown key, a suspended stream and another application are refused', async () => {
  const stream = await owner.newStream({ suspended: true });
  const good = await owner.newStream();
  const refused = [
    publish(rtmpUrl('aaaa-bbbb-cccc-dddd')),
    publish(rtmpUrl(stream.streamKey)),
    publish(rtmpUrl(good.streamKey).replace('/live/', '/other/')),
  ];
  for (const encoder of refused) {
    await encoder.ended();
    expect(encoder.said).not.toBe('');
  }
  expect(await owner.stream(good.id)).toMatchObject({ isActive: false, lastSeen: 0 });
});

test('a second publisher is refused and does not disturb the first', async () => {
  const stream = await owner.newStream();
  const first = publish(rtmpUrl(stream.streamKey));
  await owner.untilActive(stream.id, true);
  const second = publish(rtmpUrl(stream.streamKey), ['-vf', 'negate', '-c:v', 'libx264']);
  await second.ended();
  expect(second.said).not.toBe('');
  expect(first.running).toBe(true);
  expect(await complaintsOfDecoder(hlsUrl(stream.playbackId), 4)).toBe('');
  await expect.poll(() => eventsOf(stream.id)).toEqual(['stream.started', 'stream.rejected']);
});

test('the built-in test card is published as long as it is asked for', async () => {
  const stream = await owner.newStream();
  await askForTestPattern(stream.id, 600);
  await owner.untilActive(stream.id, true);
  const [picture] = await probe(hlsUrl(stream.playbackId));
  expect(picture).toMatchObject({ codec_name: 'h264', width: 1280, height: 720 });
  // Every user of the machine can read the words of a process.
  const words = childrenOf(processOf('jobs')).join('\n');
  expect(words).toContain('testsrc2');
  expect(words).not.toContain(stream.streamKey);
  await askForTestPattern(stream.id, -1);
  await owner.untilActive(stream.id, false);
});
