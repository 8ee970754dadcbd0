import { expect, test } from '@playwright/test';
import { readDecoderWarnings, createSourceFile, type Encoder, setUpEncoders } from './testing/encoder';
import {
  readFrameHashes,
  readPacketTimes,
  matchingRunLength,
  distanceToAudio,
  playAcrossDiscontinuity,
  createRecordingChecks,
} from './testing/recordings';
import { endReconnectWindow, fetchEventNames, ApiAccount, rtmpUrl, waitUntil } from './testing/service';

let owner: ApiAccount;
let source: string;
const startEncoder = setUpEncoders();

test.beforeAll(async () => {
  [owner, source] = await Promise.all([ApiAccount.create(), createSourceFile()]);
});
// The player runs in a page of the service, and the Content Security Policy of the page would block its script.
test.use({ bypassCSP: true });

function publish({ streamKey }: { streamKey: string }): Encoder {
  return startEncoder(source, rtmpUrl(streamKey));
}

test('two publishes within the reconnect window become one recording, which plays across their discontinuity, and turning recording off applies to the next session', async ({
  page,
}) => {
  const { readSingleSession, listRecordingAssets, waitForSourceSegments, waitForReadyRecording } =
    createRecordingChecks(owner);
  const smallProfile = { name: 'small', width: 256, height: 144, bitrate: 200_000, fps: 0 };
  const stream = await owner.createStream({ record: true, name: 'Town hall', profiles: [smallProfile] });
  const firstEncoder = publish(stream);
  await waitForSourceSegments(stream, 2);
  await firstEncoder.stop();
  await owner.waitUntilIdle(stream.id);
  expect(await readSingleSession(stream)).toMatchObject({
    record: true,
    recordingStatus: 'waiting',
    isActive: false,
    state: 'waiting',
  });
  await owner.request('PATCH', `/api/stream/${stream.id}`, { record: false });
  const { sourceSegments } = await owner.readStream(stream.id);
  const secondEncoder = publish(stream);
  await owner.waitUntilActive(stream.id);
  await waitForSourceSegments(stream, sourceSegments + 2);
  await waitUntil(async () => (await owner.readStream(stream.id)).issues !== null);
  expect((await owner.readStream(stream.id)).issues?.join()).toContain('turned off');
  await secondEncoder.stop();
  await owner.waitUntilIdle(stream.id);

  await endReconnectWindow(stream.id);
  const session = await waitForReadyRecording(stream);
  expect(await fetchEventNames(stream.id)).toEqual([
    ...['stream.started', 'recording.started', 'stream.idle', 'recording.waiting'],
    ...['stream.started', 'stream.idle', 'recording.waiting', 'recording.ready'],
  ]);
  const assets = await listRecordingAssets(session.id);
  expect(assets).toMatchObject([{ status: { phase: 'ready' }, userId: session.userId }]);
  expect(assets[0]?.name).toMatch(/^Town hall · /);
  expect(session.recordingGaps).toHaveLength(1);

  const { recordingUrl = '', mp4URL = '' } = session;
  const [recordedFrames, sourceFrames] = [await readFrameHashes(mp4URL), await readFrameHashes(source)];
  const firstPublishFrames = matchingRunLength(recordedFrames, 0, sourceFrames);
  expect(firstPublishFrames).toBeGreaterThan(90);
  expect(firstPublishFrames + matchingRunLength(recordedFrames, firstPublishFrames, sourceFrames)).toBe(
    recordedFrames.length,
  );
  const sourceUrl = new URL('source/index.m3u8', recordingUrl).href;
  expect(await readFrameHashes(sourceUrl)).toEqual(recordedFrames);
  // The source has 30 frames per second.
  expect(Math.abs(recordedFrames.length / 30 - session.sourceSegmentsDuration)).toBeLessThan(0.3);

  // After the pause, audio and video start at the same time, and they end at the same time. An AAC packet lasts 21 ms.
  const [videoTimes, audioTimes] = [await readPacketTimes(mp4URL, 'v'), await readPacketTimes(mp4URL, 'a')];
  const discontinuityAt = videoTimes[firstPublishFrames] ?? 0;
  const nextAudioAt = audioTimes.filter((time) => time >= discontinuityAt - 0.012)[0] ?? 0;
  expect(nextAudioAt - discontinuityAt).toBeLessThan(0.024);
  expect(distanceToAudio(audioTimes, discontinuityAt)).toBeLessThan(0.012);
  expect(Math.abs((videoTimes.at(-1) ?? 0) - (audioTimes.at(-1) ?? 0))).toBeLessThan(0.15);

  expect(await readDecoderWarnings(mp4URL, 60)).toBe('');
  expect(await readDecoderWarnings(sourceUrl, 60)).toBe('');
  const masterPlaylist = await (await fetch(recordingUrl)).text();
  expect(masterPlaylist.match(/RESOLUTION=\d+x\d+/g)).toEqual(['RESOLUTION=640x360', 'RESOLUTION=256x144']);
  const rendition = masterPlaylist.split('\n').find((line) => line.startsWith('r-')) ?? '';
  const listSegments = (text: string) => text.match(/^.*_i\.m4s$/gm) ?? [];
  const renditionSegments = listSegments(await (await fetch(new URL(rendition, recordingUrl))).text());
  expect(renditionSegments).toHaveLength(listSegments(await (await fetch(sourceUrl)).text()).length);
  // Segments that were not transcoded, for example the first segments, play from the source, in another folder.
  expect(renditionSegments.filter((line) => !line.startsWith('..')).length).toBeGreaterThan(
    renditionSegments.length / 2,
  );
  const range = await fetch(mp4URL, { headers: { Range: 'bytes=4-7' } });
  expect([range.status, await range.text()]).toEqual([206, 'ftyp']);
  await playAcrossDiscontinuity(page, recordingUrl, discontinuityAt);
});
