import { withoutWebrtc } from '@/media-worker/live/multistream/testing/without-webrtc';
import { afterEach, describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { systemClock } from '@/lib/infra/clock';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createTarget, updateTarget } from '@/lib/domain/multistream';
import {
  authorizePublish,
  createStream,
  getMultistream,
  markActive,
  markIdle,
  updateStream,
} from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { encodeClip, EncoderBus } from './testing/encoder-bus';
import { neverRead, resetAfter, startRawTarget } from './testing/raw-target';
import { Rendition, Renditions } from '@/media-worker/media/packaging/rendition';
import { createMultistream } from './multistream';
import { LiveWindow } from '@/media-worker/media/packaging/window';

const { ctx, createTeam, createNode, eventsOf } = createLiveFixtures(await createTestDatabase());
const owner: TeamContext = { ...ctx, actor: { kind: 'cli', teamId: await createTeam() } };
const packets = await encodeClip();
const sockets = openEgressSockets({ allowCidrs: ['127.0.0.1/32'] });
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const urlOf = (port: number, key = 'good-key') => `rtmp://127.0.0.1:${port}/live/${key}`;

async function startTarget() {
  const ingest = await startIngest();
  closing.push(() => ingest.server.close());
  return ingest;
}

/** Starts a live stream on a node, with a target for each URL. */
async function startLiveStream(urls: readonly string[], { profile = 'source' } = {}) {
  const targets = await Promise.all(urls.map((url) => createTarget(owner, { url })));
  const references = targets.map(({ id }) => ({ id, profile }));
  const profiles = [{ name: '180p', width: 320, height: 180, bitrate: 300_000, fps: 0 }];
  const { id } = await createStream(owner, { name: 'x', profiles, multistream: { targets: references } });
  const nodeId = await createNode();
  const publish = await authorizePublish(ctx, { streamId: id, nodeId });
  if (!publish) throw new Error('not authorized');
  const guard = { streamId: id, nodeId, publishNumber: publish.publishNumber };
  await markActive(ctx, { ...guard, issues: [] });
  const renditions = new Renditions(new LiveWindow({ clock: systemClock }));
  const feature = createMultistream({ ctx, nodeId, sockets, whip: withoutWebrtc })({
    streamId: id,
    renditions,
    log: ctx.log,
    report: () => undefined,
  });
  closing.push(() => feature.close());
  const startEncoder = (rendition: Rendition = renditions.source) => {
    const encoder = new EncoderBus(packets);
    closing.push(() => encoder.end());
    rendition.startPublish(encoder.bus);
    return encoder;
  };
  const follow = () => feature.follow(publish);
  const readStatuses = () => getMultistream(owner, id);
  const readStates = async () => (await readStatuses()).map(({ state }) => state);
  const waitForStates = (...expectedStates: string[]) => expect.poll(readStates).toEqual(expectedStates);
  const readEventNames = async () => (await eventsOf(id)).map(({ name }) => name.replace('multistream.', ''));
  const setTargets = async (ids: readonly string[]) => {
    await updateStream(owner, {
      id,
      change: { multistream: { targets: ids.map((target) => ({ id: target, profile })) } },
    });
    follow();
  };
  const ids = targets.map((target) => target.id);
  return {
    id,
    ids,
    guard,
    renditions,
    feature,
    startEncoder,
    follow,
    readStatuses,
    waitForStates,
    readEventNames,
    setTargets,
  };
}

describe('targets of a live session', () => {
  test('get the stream separately, and a failing target does not affect the others', async () => {
    const [goodTarget, hangingTarget, breakingTarget] = [
      await startTarget(),
      await startRawTarget(neverRead),
      await startRawTarget(resetAfter(200)),
    ];
    closing.push(
      () => hangingTarget.close(),
      () => breakingTarget.close(),
    );
    const stream = await startLiveStream([
      urlOf(hangingTarget.port),
      urlOf(goodTarget.port),
      urlOf(breakingTarget.port),
    ]);
    stream.startEncoder();
    stream.follow();
    await stream.waitForStates('error', 'connected', 'error');
    await expect.poll(() => breakingTarget.connectionCount).toBeGreaterThan(1);
    const [hangingStatus, goodStatus, breakingStatus] = await stream.readStatuses();
    expect(hangingStatus?.lastError?.message).toContain(
      '127.0.0.1 accepted the connection but takes no video.',
    );
    expect(goodStatus).toMatchObject({ lastError: null });
    expect(breakingStatus?.lastError?.message).toContain('The connection to 127.0.0.1 was lost: ECONNRESET.');
    expect((await stream.readEventNames()).sort()).toEqual(['connected', 'error', 'error', 'stream.started']);
    // The healthy target received every frame: they are 40 ms apart, and timestamps are whole milliseconds.
    const times =
      goodTarget.publishes[0]?.sink.packets.flatMap((packet) =>
        packet.kind === 'video' && packet.role === 'frame' ? [packet.dts] : [],
      ) ?? [];
    expect(times.length).toBeGreaterThan(50);
    for (const [index, time] of times.entries()) {
      if (index > 0) expect(time - (times[index - 1] ?? 0)).toBeLessThanOrEqual(41);
    }
    expect(goodTarget.publishes).toHaveLength(1);
  });

  test('are added, changed, disabled and removed while the others continue', async () => {
    const [firstIngest, secondIngest, thirdIngest] = [
      await startTarget(),
      await startTarget(),
      await startTarget(),
    ];
    const stream = await startLiveStream([urlOf(firstIngest.port), urlOf(secondIngest.port)]);
    const [firstId = '', secondId = ''] = stream.ids;
    await stream.setTargets([firstId]);
    stream.startEncoder();
    await stream.waitForStates('connected');

    const changes: [string, () => Promise<unknown>, string[]][] = [
      ['added', () => stream.setTargets([firstId, secondId]), ['connected', 'connected']],
      [
        'pointed elsewhere',
        () => updateTarget(owner, { id: secondId, change: { url: urlOf(thirdIngest.port) } }),
        ['connected', 'connected'],
      ],
      [
        'disabled',
        () => updateTarget(owner, { id: secondId, change: { disabled: true } }),
        ['connected', 'disconnected'],
      ],
      ['removed', () => stream.setTargets([firstId]), ['connected']],
    ];
    for (const [label, change, expectedStates] of changes) {
      await change();
      stream.follow();
      if (label === 'pointed elsewhere') await expect.poll(() => thirdIngest.publishes).toHaveLength(1);
      await stream.waitForStates(...expectedStates);
    }
    expect(await secondIngest.publishes[0]?.sink.waitForEnd()).toBe('finished');
    expect(await thirdIngest.publishes[0]?.sink.waitForEnd()).toBe('finished');
    expect(firstIngest.publishes).toHaveLength(1);
    expect(firstIngest.publishes[0]?.sink.ends).toEqual([]);
    const pairs = ['connected', 'disconnected'];
    expect(await stream.readEventNames()).toEqual(['stream.started', 'connected', ...pairs, ...pairs]);
  });

  test('wait while the encoder is disconnected, continue when it returns, and end with the session', async () => {
    const goodTarget = await startTarget();
    const stream = await startLiveStream([urlOf(goodTarget.port)]);
    const encoder = stream.startEncoder();
    stream.follow();
    await stream.waitForStates('connected');
    encoder.end();
    await stream.waitForStates('waiting');
    expect(await goodTarget.publishes[0]?.sink.waitForEnd()).toBe('finished');
    stream.startEncoder();
    stream.follow();
    await stream.waitForStates('connected');
    expect(goodTarget.publishes).toHaveLength(2);

    await Promise.all([stream.feature.close(), stream.feature.close()]);
    await markIdle(ctx, stream.guard);
    expect(await goodTarget.publishes[1]?.sink.waitForEnd()).toBe('finished');
    await stream.waitForStates('disconnected');
    expect(await stream.readEventNames()).toEqual([
      'stream.started',
      'connected',
      'stream.idle',
      'disconnected',
    ]);
    stream.follow();
    expect(goodTarget.publishes).toHaveLength(2);
  });

  test('get a rendition when it becomes available', async () => {
    const goodTarget = await startTarget();
    const stream = await startLiveStream([urlOf(goodTarget.port)], { profile: '180p' });
    stream.startEncoder();
    stream.follow();
    await stream.waitForStates('waiting');
    const rendition = new Rendition('180p', new LiveWindow({ clock: systemClock }));
    stream.renditions.add(rendition);
    const encoderBus = stream.startEncoder(rendition);
    await stream.waitForStates('connected');
    encoderBus.end();
    await stream.waitForStates('waiting');
  });
});
