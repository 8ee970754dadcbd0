import { withoutWebrtc } from '@/media-worker/live/multistream/testing/without-webrtc';
import { afterEach, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { systemClock } from '@/lib/infra/clock';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createTarget } from '@/lib/domain/multistream';
import { authorizePublish, createStream, getMultistream, markActive } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { startIngest, type Ingest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { encodeClip } from './testing/encoder-bus';
import { neverRead, resetAfter, startRawTarget } from './testing/raw-target';
import { LiveSession } from '@/media-worker/live/session/live-session';
import { ProgressMeter } from '@/media-worker/live/session/progress-meter';
import { createMultistream } from './multistream';
import { FakeConnection } from '@/media-worker/live/session/testing/fake-connection';
import { TranscodeBudget } from '@/media-worker/live/transcode/transcode-budget';
import { startTranscoder } from '@/media-worker/live/transcode/transcoder';

const { ctx, createTeam, createNode } = createLiveFixtures(await createTestDatabase());
const owner: TeamContext = { ...ctx, actor: { kind: 'cli', teamId: await createTeam() } };
const packets = await encodeClip();
const sockets = openEgressSockets({ allowCidrs: ['127.0.0.1/32'] });
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const urlOf = ({ port }: { port: number }) => `rtmp://127.0.0.1:${port}/live/good-key`;

async function startTarget(): Promise<Ingest> {
  const ingest = await startIngest();
  closing.push(() => ingest.server.close());
  return ingest;
}

/** Publishes the clip in a loop, like an encoder. */
function publishClip(connection: FakeConnection, lengthMs = 4_000): void {
  connection.publish(packets.filter(({ role }) => role === 'config'));
  const frames = packets.filter(({ role }) => role === 'frame').sort((a, b) => a.dts - b.dts);
  const startedAtMs = performance.now();
  let sentCount = 0;
  const timer = setInterval(() => {
    const duePackets: MediaPacket[] = [];
    for (;;) {
      const frame = frames[sentCount % frames.length];
      const shift = Math.floor(sentCount / frames.length) * lengthMs;
      if (!frame || frame.dts + shift > performance.now() - startedAtMs) break;
      duePackets.push({ ...frame, dts: frame.dts + shift, pts: frame.pts + shift });
      sentCount += 1;
    }
    connection.publish(duePackets);
  }, 20);
  closing.push(() => clearInterval(timer));
}

/** Starts a stream with a rendition made by ffmpeg, and a target for each URL that gets the rendition of the profile. */
async function startLiveStream(urls: readonly (readonly [url: string, profile: string])[]) {
  const targets = await Promise.all(
    urls.map(async ([url, profile]) => ({ id: (await createTarget(owner, { url })).id, profile })),
  );
  const profiles = [{ name: '90p', width: 160, height: 90, bitrate: 100_000, fps: 0 }];
  const { id } = await createStream(owner, { name: 'x', profiles, multistream: { targets } });
  const nodeId = await createNode();
  const publish = await authorizePublish(ctx, { streamId: id, nodeId });
  if (!publish) throw new Error('not authorized');
  const session = new LiveSession(publish, {
    clock: systemClock,
    log: ctx.log,
    meter: new ProgressMeter(() => Promise.resolve(), systemClock),
    features: [
      startTranscoder({ clock: systemClock, budget: new TranscodeBudget(2) }),
      createMultistream({ ctx, nodeId, sockets, whip: withoutWebrtc }),
    ],
    onOver: () => undefined,
    record: {
      markActive: () => undefined,
      recordProgram: () => undefined,
      recordSwitch: () => undefined,
      recordSlate: () => undefined,
      recordIssues: () => undefined,
      recordRejection: () => undefined,
      markIdle: () => Promise.resolve(),
    },
  });
  closing.push(() => session.close());
  await markActive(ctx, { streamId: id, nodeId, publishNumber: publish.publishNumber, issues: [] });
  const connection = new FakeConnection(() => systemClock.monotonic());
  connection.onAdmitted(session.attach(publish, connection));
  publishClip(connection);
  return { session, readStatuses: () => getMultistream(owner, id) };
}

/** Longest time between two video frames at the target, by their timestamps, ms. */
function longestGapMs({ publishes }: Ingest): number {
  const times = (publishes[0]?.sink.packets ?? []).flatMap((packet) =>
    packet.kind === 'video' && packet.role === 'frame' ? [packet.dts] : [],
  );
  expect(times.length).toBeGreaterThan(50);
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
}

test('targets of a rendition that hang or break affect neither other targets nor viewers', async () => {
  const [sourceTarget, renditionTarget] = [await startTarget(), await startTarget()];
  const [hangingTarget, breakingTarget, breakingSourceTarget] = [
    await startRawTarget(neverRead),
    await startRawTarget(resetAfter(200)),
    await startRawTarget(resetAfter(200)),
  ];
  closing.push(
    () => hangingTarget.close(),
    () => breakingTarget.close(),
    () => breakingSourceTarget.close(),
  );
  const { session, readStatuses } = await startLiveStream([
    [urlOf(hangingTarget), '90p'],
    [urlOf(renditionTarget), '90p'],
    [urlOf(breakingTarget), '90p'],
    [urlOf(sourceTarget), 'source'],
    [urlOf(breakingSourceTarget), 'source'],
  ]);
  const outcomes = async () =>
    (await readStatuses()).map(({ state, lastError }) => (lastError ? 'failed' : state));
  await expect
    .poll(outcomes, { timeout: 300_000, interval: 100 })
    .toEqual(['failed', 'connected', 'failed', 'connected', 'failed']);
  const windows = () =>
    ['source', '90p'].map((name) => session.renditions.get(name)?.window.view().segments ?? []);
  const newestMsns = () => windows().map((segments) => segments.at(-1)?.msn ?? 0);
  const msnsBefore = newestMsns();
  const haveAllContinued = () =>
    newestMsns().every((msn, index) => msn > (msnsBefore[index] ?? 0) + 2) &&
    [breakingTarget, breakingSourceTarget].every(({ connectionCount }) => connectionCount >= 3);
  await expect.poll(haveAllContinued, { timeout: 300_000, interval: 100 }).toBe(true);

  // Viewers are not affected: in both windows, every segment follows the previous one without a discontinuity.
  for (const segments of windows()) {
    expect(new Set(segments.map(({ discontinuity }) => discontinuity)).size).toBe(1);
    const [firstSegment = { msn: 0 }] = segments;
    expect(segments.map(({ msn }) => msn - firstSegment.msn)).toEqual(segments.map((_, index) => index));
  }
  const targetRows = await readStatuses();
  for (const index of [1, 3])
    expect(targetRows[index]).toMatchObject({ state: 'connected', lastError: null });
  for (const goodTarget of [sourceTarget, renditionTarget]) {
    expect(goodTarget.publishes).toHaveLength(1);
    // 25 frames per second, rounded to milliseconds.
    expect(longestGapMs(goodTarget)).toBeLessThanOrEqual(41);
  }
});
