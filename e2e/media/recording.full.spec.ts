import { expect, test } from '@playwright/test';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { readDecoderWarnings, createSourceFile, type Encoder, setUpEncoders } from './testing/encoder';
import { readFrameHashes, matchingRunLength, createRecordingChecks } from './testing/recordings';
import {
  endReconnectWindow,
  fetchEventNames,
  killDatabase,
  ApiAccount,
  findRolePid,
  rtmpUrl,
  fetchSessionRows,
  waitUntil,
} from './testing/service';

let owner: ApiAccount;
let source: string;
const startEncoder = setUpEncoders();

test.beforeAll(async () => {
  [owner, source] = await Promise.all([ApiAccount.create(), createSourceFile()]);
});
const cleanups: (() => Promise<unknown>)[] = [];
test.afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((close) => close()));
});

function publish({ streamKey }: { streamKey: string }): Encoder {
  return startEncoder(source, rtmpUrl(streamKey));
}

test(
  'a stream gets one recording with all closed segments although database, live and jobs are killed',
  { tag: '@alone' },
  async () => {
    const {
      readSingleSession,
      listRecordingAssets,
      waitForSourceSegments,
      readSegmentCount,
      waitForReadyRecording,
    } = createRecordingChecks(owner);
    const target = await startIngest();
    cleanups.push(() => target.server.close());
    const smallProfile = { name: 'small', width: 256, height: 144, bitrate: 200_000, fps: 0 };
    const url = `rtmp://127.0.0.1:${target.port}/live/good-key`;
    const targets = [{ profile: 'small', spec: { url } }];
    const stream = await owner.createStream({
      record: true,
      profiles: [smallProfile],
      multistream: { targets },
    });
    const firstEncoder = publish(stream);
    await waitForSourceSegments(stream, 2);
    const readEventNames = () => fetchEventNames(stream.id).catch((): string[] => []);
    await waitUntil(async () => (await readEventNames()).includes('multistream.connected'));

    // The stream continues without the database, and viewers and targets are not affected.
    const segmentsBefore = (await owner.readStream(stream.id)).sourceSegments;
    killDatabase();
    await waitUntil(
      () => readSegmentCount(stream).then((segments) => segments >= segmentsBefore + 2),
      40_000,
    );
    expect(firstEncoder.isRunning).toBe(true);
    expect(target.publishes).toHaveLength(1);
    expect(await readEventNames()).toEqual(['stream.started', 'recording.started', 'multistream.connected']);

    process.kill(findRolePid('live'), 'SIGKILL');
    await owner.waitUntilIdle(stream.id);
    let nextEncoder = publish(stream);
    await waitUntil(async () => {
      if (!nextEncoder.isRunning) nextEncoder = publish(stream);
      return (await owner.readStream(stream.id)).isActive;
    }, 240_000);
    await waitForSourceSegments(stream, (await readSegmentCount(stream)) + 2);
    await nextEncoder.stop();
    await owner.waitUntilIdle(stream.id);

    await endReconnectWindow(stream.id);
    await waitUntil(async () => (await fetchSessionRows(stream.id))[0]?.state === 'ended');
    process.kill(findRolePid('jobs'), 'SIGKILL');
    killDatabase();
    // An old connection may still respond. Only a new connection proves that the database is back.
    await waitUntil(() => fetchEventNames(stream.id).then(Boolean, () => false));
    await waitUntil(() => readSegmentCount(stream).then((segments) => segments >= 0));
    const session = await waitForReadyRecording(stream);
    expect(await listRecordingAssets(session.id)).toHaveLength(1);
    const names = await fetchEventNames(stream.id);
    expect(names.filter((name) => name === 'recording.ready')).toHaveLength(1);
    expect(names.filter((name) => name === 'recording.started')).toHaveLength(1);
    const eventsOfKind = (kind: string) =>
      names.filter((name) => name.startsWith(kind)).map((name) => name.split('.')[1]);
    expect(eventsOfKind('stream.')).toEqual(['started', 'idle', 'started', 'idle']);
    expect(eventsOfKind('multistream.')).toEqual(['connected', 'disconnected', 'connected', 'disconnected']);

    const { mp4URL = '' } = session;
    const [recordedFrames, sentFrames] = [await readFrameHashes(mp4URL), await readFrameHashes(source)];
    const firstPublishFrames = matchingRunLength(recordedFrames, 0, sentFrames);
    expect(firstPublishFrames + matchingRunLength(recordedFrames, firstPublishFrames, sentFrames)).toBe(
      recordedFrames.length,
    );
    // The source has 30 frames per second. Every counted segment is recorded, because segments are written when they
    // close and counters only every 5 s.
    expect(recordedFrames.length / 30).toBeGreaterThan(session.sourceSegmentsDuration - 0.3);
    expect(await readDecoderWarnings(mp4URL, 60)).toBe('');

    await owner.request('DELETE', `/api/asset/${(await listRecordingAssets(session.id))[0]?.id}`);
    expect(await readSingleSession(stream)).toMatchObject({ recordingStatus: 'deleted' });
    await waitUntil(async () => (await fetch(mp4URL)).status === 404);
  },
);
