import { expect, test } from '@playwright/test';

import { complaintsOfDecoder, Encoder, sourceFile } from './testing/encoder';
import {
  frameHashesOf,
  timesOf,
  follows,
  audioOffsetFrom,
  playAcrossBreak,
  recordingsOf,
} from './testing/recordings';
import { endWindow, eventsOf, Owner, rtmpUrl, until } from './testing/service';

let owner: Owner;
let source: string;
const encoders: Encoder[] = [];

test.beforeAll(async () => {
  [owner, source] = await Promise.all([Owner.create(), sourceFile()]);
});
// The player runs in a page of the service, whose policy would block its script.
test.use({ bypassCSP: true });
test.afterEach(async () => {
  await Promise.all(encoders.splice(0).map((encoder) => encoder.kill()));
});

function publish({ streamKey }: { streamKey: string }): Encoder {
  const encoder = new Encoder(source, rtmpUrl(streamKey));
  encoders.push(encoder);
  return encoder;
}

test('two publishes with a pause become one recording, frame by frame', async ({ page }) => {
  const { onlySession, assetsOf, recorded: recordedCount, untilReady } = recordingsOf(owner);
  const small = { name: 'small', width: 256, height: 144, bitrate: 200_000, fps: 0 };
  const stream = await owner.newStream({ record: true, name: 'Town hall', profiles: [small] });
  const first = publish(stream);
  await recordedCount(stream, 2);
  await first.stop();
  await owner.untilActive(stream.id, false);
  expect(await onlySession(stream)).toMatchObject({
    record: true,
    recordingStatus: 'waiting',
    isActive: false,
    state: 'waiting',
  });
  await owner.request('PATCH', `/api/stream/${stream.id}`, { record: false });
  const { sourceSegments } = await owner.stream(stream.id);
  const second = publish(stream);
  await owner.untilActive(stream.id, true);
  await recordedCount(stream, sourceSegments + 2);
  await until(async () => (await owner.stream(stream.id)).issues !== null);
  expect((await owner.stream(stream.id)).issues?.join()).toContain('turned off');
  await second.stop();
  await owner.untilActive(stream.id, false);

  await endWindow(stream.id);
  const session = await untilReady(stream);
  expect(await eventsOf(stream.id)).toEqual([
    ...['stream.started', 'recording.started', 'stream.idle', 'recording.waiting'],
    ...['stream.started', 'stream.idle', 'recording.waiting', 'recording.ready'],
  ]);
  const assets = await assetsOf(session.id);
  expect(assets).toMatchObject([{ status: { phase: 'ready' }, userId: session.userId }]);
  expect(assets[0]?.name).toMatch(/^Town hall · /);
  expect(session.recordingGaps).toHaveLength(1);

  const { recordingUrl = '', mp4URL = '' } = session;
  const [recordedFrames, sourceFrames] = [await frameHashesOf(mp4URL), await frameHashesOf(source)];
  const firstLength = follows(recordedFrames, 0, sourceFrames);
  expect(firstLength).toBeGreaterThan(90);
  expect(firstLength + follows(recordedFrames, firstLength, sourceFrames)).toBe(recordedFrames.length);
  const sourceUrl = new URL('source/index.m3u8', recordingUrl).href;
  expect(await frameHashesOf(sourceUrl)).toEqual(recordedFrames);
  expect(Math.abs(recordedFrames.length / 30 - session.sourceSegmentsDuration)).toBeLessThan(0.3);

  // The offset between video and audio is that of the source, before and after the pause.
  const [videoTimes, audioTimes] = [await timesOf(mp4URL, 'v'), await timesOf(mp4URL, 'a')];
  const breakAt = videoTimes[firstLength] ?? 0;
  const late = audioTimes.filter((time) => time >= breakAt - 0.012)[0] ?? 0;
  expect(late - breakAt).toBeLessThan(0.024);
  expect(audioOffsetFrom(audioTimes, breakAt)).toBeLessThan(0.012);
  expect(Math.abs((videoTimes.at(-1) ?? 0) - (audioTimes.at(-1) ?? 0))).toBeLessThan(0.15);

  expect(await complaintsOfDecoder(mp4URL, 60)).toBe('');
  expect(await complaintsOfDecoder(sourceUrl, 60)).toBe('');
  const master = await (await fetch(recordingUrl)).text();
  expect(master.match(/RESOLUTION=\d+x\d+/g)).toEqual(['RESOLUTION=640x360', 'RESOLUTION=256x144']);
  const rendition = master.split('\n').find((line) => line.startsWith('r-')) ?? '';
  const segments = (text: string) => text.match(/^.*_i\.m4s$/gm) ?? [];
  const ownSegments = segments(await (await fetch(new URL(rendition, recordingUrl))).text());
  expect(ownSegments).toHaveLength(segments(await (await fetch(sourceUrl)).text()).length);
  // Parts that the transcoder did not have, such as the beginning, play from the source.
  expect(ownSegments.filter((line) => !line.startsWith('..')).length).toBeGreaterThan(ownSegments.length / 2);
  const range = await fetch(mp4URL, { headers: { Range: 'bytes=4-7' } });
  expect([range.status, await range.text()]).toEqual([206, 'ftyp']);
  await playAcrossBreak(page, recordingUrl, breakAt);
});
