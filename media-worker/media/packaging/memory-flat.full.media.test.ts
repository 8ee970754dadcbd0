import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import { ViewerCount } from '@/media-worker/delivery/origin/audience/viewer-count';
import { HealthLog } from '@/media-worker/live/health/health-log';
import { LiveSession } from '@/media-worker/live/session/live-session';
import { ProgressMeter } from '@/media-worker/live/session/progress-meter';
import { createRecorder } from '@/media-worker/recording/recorder';
import { FakeConnection } from '@/media-worker/live/session/testing/fake-connection';
import { videoConfig, videoFrame } from './testing/synthetic-packets';

const noop = () => Promise.resolve();
const publish: AuthorizedPublish = {
  streamId: 'stream',
  playbackId: 'abcd1234efgh5678',
  sessionId: 'session',
  publishNumber: 7,
  publishedAt: new Date(0),
  settings: { version: 0, profiles: [], record: true },
};

beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

/** Bytes of the heap and of buffers after garbage collection. */
function measureHeapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let n = 0; n < 3; n++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('a recorded and watched stream needs less than 200 bytes more memory per segment in its third and fourth hour', async () => {
  let segmentCount = 0;
  const spool = {
    write: (_sessionId: string, { file }: { readonly file: string }) => {
      if (file.endsWith('.m4s')) segmentCount += 1;
    },
    enter: () => undefined,
    leave: () => undefined,
    setSuccessor: () => undefined,
  };
  const meter = new ProgressMeter(noop, systemClock);
  const health = new HealthLog(systemClock, noop);
  const viewers = new ViewerCount(systemClock, noop);
  const session = new LiveSession(publish, {
    clock: systemClock,
    log: createLogger('test', 'silent'),
    meter,
    features: [
      health.start,
      createRecorder({
        spool,
        readFreeBytes: () => Promise.resolve(Infinity),
        statusWriter: { reportFailure: noop },
      }),
    ],
    onOver: () => undefined,
    record: {
      markActive: () => undefined,
      recordIssues: () => undefined,
      recordRejection: () => undefined,
      recordProgram: () => undefined,
      recordSwitch: () => undefined,
      recordSlate: () => undefined,
      markIdle: noop,
    },
  });
  const connection = new FakeConnection(() => systemClock.monotonic());
  connection.onAdmitted(session.attach(publish, connection));
  connection.publish([videoConfig()]);

  let mediaMs = 0;
  /** Sends five frames per second with a keyframe every two seconds; the test does the periodic work of the roles. */
  const play = async (seconds: number) => {
    for (const untilMs = mediaMs + seconds * 1_000; mediaMs < untilMs; mediaMs += 200) {
      await vi.advanceTimersByTimeAsync(200);
      connection.publish([videoFrame(mediaMs, { key: mediaMs % 2_000 === 0, bytes: 2_000 })]);
      if (mediaMs % 4_000 !== 0) continue;
      health.sample();
      // One viewer stays, others come and go.
      viewers.recordPlaylist(publish.playbackId, 'stays');
      viewers.recordPlaylist(publish.playbackId, `came at ${Math.floor(mediaMs / 60_000)}`);
      viewers.sample();
      await Promise.all([meter.flush(), health.flush(), viewers.flush()]);
    }
  };
  // Two hours: longer than views are remembered, and enough for the engine to optimize all code that runs
  // regularly.
  await play(7_200);
  const before = { segmentCount, heapBytes: measureHeapBytes() };
  await play(7_200);
  const [addedSegments, grownBytes] = [
    segmentCount - before.segmentCount,
    measureHeapBytes() - before.heapBytes,
  ];
  expect(addedSegments).toBeGreaterThan(3_500);
  // One window segment with its parts would need a thousand bytes, its media twenty thousand.
  expect(grownBytes).toBeLessThan(addedSegments * 200);
  await session.close();
});
