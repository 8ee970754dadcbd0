import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClip, getAsset, listClips } from '@/lib/domain/assets';
import type { TeamContext } from '@/lib/domain/context';
import { assetKey } from '@/lib/core/storage-keys';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { newId } from '@/lib/infra/ids';
import { getTask } from '@/lib/domain/tasks';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { Packaging, TEST_EPOCH } from '@/media-worker/media/packaging/testing/packaging';
import {
  readDecoderErrors,
  frameChecksums,
  createRecordedSessions,
} from '@/media-worker/recording/testing/recorded-session';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { importAssetJob } from './import-asset';
import { saveServedHls } from '@/media-worker/vod/index/testing/served-hls';
import { clipJob } from './make-clip';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, db, storage, taskRow, assetRow } = fixtures;
const sessions = await createRecordedSessions(storage);
const samples = createSampleFiles();
const owner = await fixtures.createTeamContext();
const tasks = createTaskRunner(ctx, { clip: clipJob, import: importAssetJob });
afterAll(async () => {
  await tasks.close();
  await sessions.remove();
  samples.remove();
});

const sourceArgs = [
  ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=30', '-f', 'lavfi', '-i', 'sine=sample_rate=48000'],
  ...'-c:v libx264 -preset veryfast -bf 2 -pix_fmt yuv420p -threads 1 -g 60 -keyint_min 60 -sc_threshold 0'.split(
    ' ',
  ),
  ...['-c:a', 'aac'],
];
/** Wall-clock time of the first frame. */
const startedAt = Date.now() - 600_000;
let sourceMedia: { flv: string; packets: MediaPacket[] };
let sourceFrameHashes: string[];
beforeAll(async () => {
  sourceMedia = await sessions.encodePackets(10, ...sourceArgs);
  sourceFrameHashes = await frameChecksums(sourceMedia.flv, 'v');
});

/** Creates a stream with a session of ten seconds that began at `startedAt`; without `hasMedia`, nothing of it is stored. */
async function createRecordedStream(
  {
    recording = 'ready',
    state = 'ended',
  }: { recording?: 'ready' | 'recording'; state?: 'ended' | 'live' } = {},
  hasMedia = true,
) {
  const { teamId } = owner.actor;
  const { id: parentId, playbackId } = await fixtures.createStream(teamId, { record: true });
  const timestamps = { createdAt: new Date(startedAt), lastSeen: new Date(startedAt + 10_000) };
  const session = await db.session.create({
    data: {
      id: newId(),
      teamId,
      parentId,
      name: 'Town hall',
      playbackId,
      record: true,
      recording,
      state,
      ...timestamps,
    },
  });
  const store = async () => {
    const packaging = new Packaging();
    packaging.clock.ms = startedAt - TEST_EPOCH;
    packaging.run(sourceMedia.packets);
    await sessions.store(session.id, packaging);
    return packaging.segments;
  };
  return { parentId, playbackId, sessionId: session.id, segments: hasMedia ? await store() : [] };
}

const frameHashesOf = async (assetId: string, file = 'source.mp4') =>
  storage.withFile(assetKey(assetId, file), (path) => frameChecksums(path, 'v'));

async function createFinishedClip(body: Parameters<typeof createClip>[1], by: TeamContext = owner) {
  const { asset, task } = await createClip(by, body);
  await tasks.drain();
  return { assetId: asset.id, taskId: task.id };
}

/** Expects the frames of a range of the source video at 30 frames per second. Times are in milliseconds. */
async function expectFrames(assetId: string, startMs: number, endMs: number): Promise<void> {
  const firstFrame = Math.round((startMs * 30) / 1_000);
  const frameHashes = await frameHashesOf(assetId);
  expect(sourceFrameHashes.indexOf(frameHashes[0] ?? '')).toBe(firstFrame);
  const frameCount = Math.round(((endMs - startMs) * 30) / 1_000);
  expect(frameHashes.slice(0, frameCount)).toEqual(
    sourceFrameHashes.slice(firstFrame, firstFrame + frameCount),
  );
  expect(frameHashes.length - frameCount).toBeLessThanOrEqual(3);
}

describe('a clip of a recording', () => {
  // Milliseconds from the first frame. 100 ms are 3 frames; keyframes are at 0, 2, 4, 6 and 8 s.
  test.each([
    ['in the middle of a GOP', 3_700, 7_900],
    ['at a keyframe', 4_000, 6_000],
    ['at the frame after a keyframe', 4_034, 6_000],
    ['for one second', 5_500, 6_500],
  ])('%s starts with exactly the frame at its start', async (_, startMs, endMs) => {
    const { playbackId, segments } = await createRecordedStream();
    const first = segments[0]?.wallClockMs ?? 0;
    const { assetId, taskId } = await createFinishedClip({
      playbackId,
      startTime: first + startMs,
      endTime: first + endMs,
    });
    expect(await getTask(owner, taskId)).toMatchObject({ type: 'clip', status: { phase: 'completed' } });
    await expectFrames(assetId, startMs, endMs);
    await storage.withFile(assetKey(assetId, 'source.mp4'), async (path) =>
      expect(await readDecoderErrors(path)).toBe(''),
    );
  });

  test('has HLS that starts with the first frame of the clip', async () => {
    const { playbackId, segments } = await createRecordedStream();
    const first = segments[0]?.wallClockMs ?? 0;
    const { assetId } = await createFinishedClip({
      playbackId,
      startTime: first + 3_700,
      endTime: first + 7_900,
    });
    const folder = samples.path('clip-hls');
    await saveServedHls(storage, assetId, folder);
    const hls = join(folder, 'source', 'index.m3u8');
    expect(await readFile(hls, 'utf8')).not.toContain('#EXT-X-START');
    const shownHashes = await frameChecksums(hls, 'v');
    // Source frame 111 (3.7 s) is the first one. The nine frames before the next keyframe, 120, were encoded again.
    expect(shownHashes.slice(9, 126)).toEqual(sourceFrameHashes.slice(120, 237));
    expect(shownHashes.length - 126).toBeLessThanOrEqual(3);
    for (const hiddenFrame of sourceFrameHashes.slice(60, 111))
      expect(shownHashes).not.toContain(hiddenFrame);
  });
});

describe('a clip of a live stream', () => {
  test('waits until its last segments are stored', async () => {
    const { playbackId, sessionId, parentId } = await createRecordedStream(
      { recording: 'recording', state: 'live' },
      false,
    );
    const now = Date.now();
    const { asset, task } = await createClip(owner, {
      playbackId,
      startTime: now - 3_000,
      endTime: now + 3_000,
    });
    await tasks.once();
    const waiting = await taskRow(task.id);
    expect(waiting).toMatchObject({ phase: 'waiting', retries: 0, errorMessage: null });
    expect(waiting.scheduledAt?.getTime()).toBeGreaterThanOrEqual(now + 3_000);
    const packaging = new Packaging();
    packaging.clock.ms = now - 5_000 - TEST_EPOCH;
    packaging.run(sourceMedia.packets);
    await sessions.store(sessionId, packaging);
    await db.task.update({ where: { id: task.id }, data: { scheduledAt: new Date() } });
    await tasks.drain();
    expect(await getAsset(owner, asset.id)).toMatchObject({
      status: { phase: 'ready' },
      source: { type: 'clip', playbackId, sessionId },
    });
    const ids = async (filter: Parameters<typeof listClips>[1]) =>
      (await listClips(owner, filter, {})).items.map(({ id }) => id);
    expect(await ids({ streamId: parentId })).toEqual([asset.id]);
    expect(await ids({ sessionId })).toEqual([asset.id]);
  });

  test('of one second starts with exactly the frame at its start', async () => {
    const { playbackId, segments } = await createRecordedStream({ recording: 'recording', state: 'live' });
    const first = segments[0]?.wallClockMs ?? 0;
    const { assetId } = await createFinishedClip({
      playbackId,
      startTime: first + 3_100,
      endTime: first + 4_100,
    });
    await expectFrames(assetId, 3_100, 4_100);
  });

  test('fails with a reason if nothing was recorded', async () => {
    const { playbackId } = await createRecordedStream({ recording: 'recording', state: 'live' });
    const startTime = startedAt + 300_000;
    const { assetId, taskId } = await createFinishedClip({
      playbackId,
      startTime,
      endTime: startTime + 5_000,
    });
    const errorMessage = 'nothing was recorded in this time';
    expect(await taskRow(taskId)).toMatchObject({ phase: 'failed', errorMessage });
    expect(await assetRow(assetId)).toMatchObject({ phase: 'failed', errorMessage });
  });
});

describe('a clip of an asset', () => {
  test('counts from the start of the asset, inherits its policy, and is exact to the frame', async () => {
    const file = samples.make('film.mp4', { seconds: 6, fps: '25', output: ['-g', '50', '-bf', '2'] });
    const { assetId: from } = await receiveFile(fixtures, owner, file);
    await tasks.drain();
    const playbackPolicy = { type: 'jwt' };
    const { playbackId } = await db.asset.update({ where: { id: from }, data: { playbackPolicy } });
    const { assetId } = await createFinishedClip({
      playbackId,
      startTime: 2_520,
      endTime: 4_000,
      name: 'Half time',
    });
    expect(await getAsset(owner, assetId)).toMatchObject({
      name: 'Half time',
      status: { phase: 'ready' },
      source: { type: 'clip', playbackId },
      playbackPolicy,
    });
    const [allFrames, shownHashes] = [await frameChecksums(file, 'v'), await frameHashesOf(assetId)];
    // 2.52 s at 25 frames per second is frame 63; 1.48 s are 37 frames.
    expect(allFrames.indexOf(shownHashes[0] ?? '')).toBe(63);
    expect(shownHashes.slice(0, 37)).toEqual(allFrames.slice(63, 100));
    const second = await createFinishedClip({ playbackId, startTime: 3_240, endTime: 4_240 });
    const short = await frameHashesOf(second.assetId);
    // 3.24 s is frame 81.
    expect(allFrames.indexOf(short[0] ?? '')).toBe(81);
    expect(short.slice(0, 25)).toEqual(allFrames.slice(81, 106));
    expect(short.length).toBeLessThanOrEqual(28);
  });
});

test('a clip of a killed worker is finished by the next one', async () => {
  const { playbackId, segments } = await createRecordedStream();
  const startTime = (segments[0]?.wallClockMs ?? 0) + 3_700;
  const { asset, task } = await createClip(owner, { playbackId, startTime, endTime: startTime + 2_000 });
  const ending = new AbortController();
  const killedRunner = createTaskRunner(
    { ...ctx, storage: { ...storage, putFile: () => new Promise(() => ending.abort()) } },
    { clip: clipJob },
  );
  const running = killedRunner.once();
  await new Promise((resolve) => ending.signal.addEventListener('abort', resolve));
  const { attempt } = await taskRow(task.id);
  // Another worker gets the job, finds a run without a worker, and its next run does the work.
  await tasks.run('local', { taskId: task.id, attempt });
  expect(await taskRow(task.id)).toMatchObject({ phase: 'waiting', retries: 1 });
  await db.task.update({ where: { id: task.id }, data: { scheduledAt: new Date() } });
  await tasks.drain();
  expect(await assetRow(asset.id)).toMatchObject({ phase: 'ready' });
  void running;
});
