import { expect, test } from '@playwright/test';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { complaintsOfDecoder, Encoder, sourceFile } from './testing/encoder';
import { frameHashesOf, follows, recordingsOf } from './testing/recordings';
import {
  endWindow,
  eventsOf,
  killDatabase,
  Owner,
  processOf,
  rtmpUrl,
  sessionsOf,
  until,
} from './testing/service';

let owner: Owner;
let source: string;
const encoders: Encoder[] = [];

test.beforeAll(async () => {
  [owner, source] = await Promise.all([Owner.create(), sourceFile()]);
});
const closing: (() => Promise<unknown>)[] = [];
test.afterEach(async () => {
  await Promise.all(encoders.splice(0).map((encoder) => encoder.kill()));
  await Promise.all(closing.splice(0).map((close) => close()));
});

function publish({ streamKey }: { streamKey: string }): Encoder {
  const encoder = new Encoder(source, rtmpUrl(streamKey));
  encoders.push(encoder);
  return encoder;
}

test(
  'after database, live and jobs are killed, one recording has all closed segments, with renditions and a target',
  { tag: '@alone' },
  async () => {
    const {
      onlySession,
      assetsOf,
      recorded: recordedCount,
      counted: countedSegments,
      untilReady,
    } = recordingsOf(owner);
    const target = await startIngest();
    closing.push(() => target.server.close());
    const small = { name: 'small', width: 256, height: 144, bitrate: 200_000, fps: 0 };
    const url = `rtmp://127.0.0.1:${target.port}/live/good-key`;
    const targets = [{ profile: 'small', spec: { url } }];
    const stream = await owner.newStream({ record: true, profiles: [small], multistream: { targets } });
    const first = publish(stream);
    await recordedCount(stream, 2);
    const eventNames = () => eventsOf(stream.id).catch((): string[] => []);
    await until(async () => (await eventNames()).includes('multistream.connected'));

    // The stream continues without the database: viewers and targets are not affected.
    const before = (await owner.stream(stream.id)).sourceSegments;
    killDatabase();
    await until(() => countedSegments(stream).then((segments) => segments >= before + 2), 40_000);
    expect(first.running).toBe(true);
    expect(target.publishes).toHaveLength(1);
    expect(await eventNames()).toEqual(['stream.started', 'recording.started', 'multistream.connected']);

    process.kill(processOf('live'), 'SIGKILL');
    await owner.untilActive(stream.id, false);
    let again = publish(stream);
    await until(async () => {
      if (!again.running) again = publish(stream);
      return (await owner.stream(stream.id)).isActive;
    }, 240_000);
    await recordedCount(stream, (await countedSegments(stream)) + 2);
    await again.stop();
    await owner.untilActive(stream.id, false);

    await endWindow(stream.id);
    await until(async () => (await sessionsOf(stream.id))[0]?.state === 'ended');
    process.kill(processOf('jobs'), 'SIGKILL');
    killDatabase();
    // An old connection may still respond: only a new connection proves that the database is back.
    await until(() => eventsOf(stream.id).then(Boolean, () => false));
    await until(() => countedSegments(stream).then((segments) => segments >= 0));
    const session = await untilReady(stream);
    expect(await assetsOf(session.id)).toHaveLength(1);
    const names = await eventsOf(stream.id);
    expect(names.filter((name) => name === 'recording.ready')).toHaveLength(1);
    expect(names.filter((name) => name === 'recording.started')).toHaveLength(1);
    const of = (kind: string) =>
      names.filter((name) => name.startsWith(kind)).map((name) => name.split('.')[1]);
    expect(of('stream.')).toEqual(['started', 'idle', 'started', 'idle']);
    expect(of('multistream.')).toEqual(['connected', 'disconnected', 'connected', 'disconnected']);

    const { mp4URL = '' } = session;
    const [recordedFrames, sentFrames] = [await frameHashesOf(mp4URL), await frameHashesOf(source)];
    const firstRun = follows(recordedFrames, 0, sentFrames);
    expect(firstRun + follows(recordedFrames, firstRun, sentFrames)).toBe(recordedFrames.length);
    // Counters are written every 5 s, segments when they close: every counted segment is recorded.
    expect(recordedFrames.length / 30).toBeGreaterThan(session.sourceSegmentsDuration - 0.3);
    expect(await complaintsOfDecoder(mp4URL, 60)).toBe('');

    await owner.request('DELETE', `/api/asset/${(await assetsOf(session.id))[0]?.id}`);
    expect(await onlySession(stream)).toMatchObject({ recordingStatus: 'deleted' });
    await until(async () => (await fetch(mp4URL)).status === 404);
  },
);
