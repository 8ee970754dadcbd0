import { expect, test } from '@playwright/test';
import {
  readDecoderWarnings,
  probeStreams,
  createSourceFile,
  type Encoder,
  setUpEncoders,
} from './testing/encoder';
import {
  requestTestPattern,
  readChildCommands,
  fetchEventNames,
  hlsUrl,
  ApiAccount,
  findRolePid,
  rtmpUrl,
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

for (const { name, output, codecs } of [
  // Video without audio gets silence, so that players keep both tracks when audio starts later.
  { name: 'only video', output: ['-an', '-c:v', 'copy'], codecs: ['h264', 'aac'] },
  { name: 'only audio', output: ['-vn', '-c:a', 'copy'], codecs: ['aac'] },
]) {
  test(`a stream with ${name} has the codecs ${codecs.join(' and ')} in its playlist`, async () => {
    const stream = await owner.createStream();
    publish(rtmpUrl(stream.streamKey), output);
    await owner.waitUntilActive(stream.id);
    expect((await probeStreams(hlsUrl(stream.playbackId))).map((track) => track.codec_name)).toEqual(codecs);
  });
}

test('publishes with an unknown key, to a suspended stream and to another application are rejected', async () => {
  const stream = await owner.createStream({ suspended: true });
  const validStream = await owner.createStream();
  const rejectedEncoders = [
    publish(rtmpUrl('aaaa-bbbb-cccc-dddd')),
    publish(rtmpUrl(stream.streamKey)),
    publish(rtmpUrl(validStream.streamKey).replace('/live/', '/other/')),
  ];
  for (const encoder of rejectedEncoders) {
    await encoder.whenEnded();
    expect(encoder.output).not.toBe('');
  }
  expect(await owner.readStream(validStream.id)).toMatchObject({ isActive: false, lastSeen: 0 });
});

test('a second publisher is rejected and does not affect the first', async () => {
  const stream = await owner.createStream();
  const firstEncoder = publish(rtmpUrl(stream.streamKey));
  await owner.waitUntilActive(stream.id);
  const secondEncoder = publish(rtmpUrl(stream.streamKey), ['-vf', 'negate', '-c:v', 'libx264']);
  await secondEncoder.whenEnded();
  expect(secondEncoder.output).not.toBe('');
  expect(firstEncoder.isRunning).toBe(true);
  expect(await readDecoderWarnings(hlsUrl(stream.playbackId), 4)).toBe('');
  await expect.poll(() => fetchEventNames(stream.id)).toEqual(['stream.started', 'stream.rejected']);
});

test('the test pattern is published until its request ends, and no command line contains the stream key', async () => {
  const stream = await owner.createStream();
  await requestTestPattern(stream.id, 600);
  await owner.waitUntilActive(stream.id);
  const [video] = await probeStreams(hlsUrl(stream.playbackId));
  expect(video).toMatchObject({ codec_name: 'h264', width: 1280, height: 720 });
  // Every user of the machine can read the command lines of processes.
  const commandLines = readChildCommands(findRolePid('jobs')).join('\n');
  expect(commandLines).toContain('testsrc2');
  expect(commandLines).not.toContain(stream.streamKey);
  // A request that ended a second ago.
  await requestTestPattern(stream.id, -1);
  await owner.waitUntilIdle(stream.id);
});
