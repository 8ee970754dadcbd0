import { expect, test } from '@playwright/test';
import { complaintsOfDecoder, Encoder, probe, sourceFile } from './testing/encoder';
import {
  askForTestPattern,
  childrenOf,
  eventsOf,
  hlsUrl,
  Owner,
  processOf,
  rtmpUrl,
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

for (const { name, output, codecs } of [
  // Video without audio gets silence, so that players keep both tracks when audio starts later.
  { name: 'video alone', output: ['-an', '-c:v', 'copy'], codecs: ['h264', 'aac'] },
  { name: 'audio only', output: ['-vn', '-c:a', 'copy'], codecs: ['aac'] },
]) {
  test(`${name} plays, too`, async () => {
    const stream = await owner.newStream();
    publish(rtmpUrl(stream.streamKey), output);
    await owner.untilActive(stream.id, true);
    expect((await probe(hlsUrl(stream.playbackId))).map((track) => track.codec_name)).toEqual(codecs);
  });
}

test('an unknown key, a suspended stream and another application are rejected', async () => {
  const stream = await owner.newStream({ suspended: true });
  const good = await owner.newStream();
  const refusedEncoders = [
    publish(rtmpUrl('aaaa-bbbb-cccc-dddd')),
    publish(rtmpUrl(stream.streamKey)),
    publish(rtmpUrl(good.streamKey).replace('/live/', '/other/')),
  ];
  for (const encoder of refusedEncoders) {
    await encoder.whenEnded();
    expect(encoder.output).not.toBe('');
  }
  expect(await owner.stream(good.id)).toMatchObject({ isActive: false, lastSeen: 0 });
});

test('a second publisher is rejected and does not affect the first', async () => {
  const stream = await owner.newStream();
  const first = publish(rtmpUrl(stream.streamKey));
  await owner.untilActive(stream.id, true);
  const second = publish(rtmpUrl(stream.streamKey), ['-vf', 'negate', '-c:v', 'libx264']);
  await second.whenEnded();
  expect(second.output).not.toBe('');
  expect(first.running).toBe(true);
  expect(await complaintsOfDecoder(hlsUrl(stream.playbackId), 4)).toBe('');
  await expect.poll(() => eventsOf(stream.id)).toEqual(['stream.started', 'stream.rejected']);
});

test('the built-in test pattern is published for as long as it is requested', async () => {
  const stream = await owner.newStream();
  await askForTestPattern(stream.id, 600);
  await owner.untilActive(stream.id, true);
  const [video] = await probe(hlsUrl(stream.playbackId));
  expect(video).toMatchObject({ codec_name: 'h264', width: 1280, height: 720 });
  // Every user of the machine can read the command lines of processes.
  const commandLines = childrenOf(processOf('jobs')).join('\n');
  expect(commandLines).toContain('testsrc2');
  expect(commandLines).not.toContain(stream.streamKey);
  await askForTestPattern(stream.id, -1);
  await owner.untilActive(stream.id, false);
});
