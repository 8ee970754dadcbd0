import { expect, test } from 'vitest';
import { formatMediaPlaylist } from '@/lib/core/hls/playlist';
import { recordingPrefix } from '@/lib/core/storage-keys';
import { createLogger } from '@/lib/infra/logger';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { deleteRecordings, endExpiredSession, findDvrSession } from '@/lib/domain/sessions';
import { authorizePublish, markActive, markIdle, updateStream } from '@/lib/domain/streams';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import { Dvr } from '@/media-worker/delivery/origin/stored/serve-dvr';
import { Packaging, TEST_EPOCH } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createRecorder } from './recorder';
import { Spool } from './spool';
import { startDrainingSpool } from './start-draining-spool';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, db, storage, dataDir } = fixtures;
const teamContext = await fixtures.createTeamContext();
const log = createLogger('test', 'silent');
const packets = [videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 40_000 })];

/** Starts a live session of a stream that is not recorded but has DVR. */
async function startLiveStream(spool: Spool) {
  const { id: streamId, playbackId } = await fixtures.createStream(teamContext.actor.teamId);
  await updateStream(teamContext, { id: streamId, change: { dvrSeconds: 600 } });
  const nodeId = await fixtures.createNode();
  const publish = await authorizePublish(ctx, { streamId, nodeId });
  if (!publish) throw new Error('not authorized');
  const publishKey = { streamId, nodeId, publishNumber: publish.publishNumber };
  await markActive(ctx, { ...publishKey, issues: [] });
  const packaging = new Packaging();
  packaging.clock.ms = Date.now() - 60_000 - TEST_EPOCH;
  const statusWriter = { reportFailure: () => Promise.reject(new Error('no recording')) };
  const recorder = createRecorder({ spool, readFreeBytes: () => Promise.resolve(1), statusWriter })({
    streamId,
    renditions: packaging.renditions,
    log,
    report: () => undefined,
  });
  recorder.follow(publish);
  packaging.run(packets);
  return { publishKey, playbackId, packaging, recorder, sessionId: publish.sessionId };
}

async function endSession({
  publishKey,
  sessionId,
}: Pick<Awaited<ReturnType<typeof startLiveStream>>, 'publishKey' | 'sessionId'>) {
  await markIdle(ctx, publishKey);
  await db.session.update({ where: { id: sessionId }, data: { lastSeen: new Date(0) } });
  expect(await endExpiredSession(ctx, sessionId)).toBe(true);
}

async function countStoredFiles(sessionId: string): Promise<number> {
  let count = 0;
  for await (const object of storage.list(recordingPrefix(sessionId))) count += object.bytes > 0 ? 1 : 0;
  return count;
}

test('DVR works from the encoder to a viewer who rewinds, and leaves no files behind', async () => {
  const spool = new Spool(dataDir);
  const lifecycle = new Lifecycle(log);
  startDrainingSpool(ctx, spool, lifecycle);
  const session = await startLiveStream(spool);
  const livePlaylist = formatMediaPlaylist(session.packaging.window.view(), { lowLatency: false });
  const sessions = new LookupCache((id) => findDvrSession(ctx, id), ctx.clock);
  const dvr = new Dvr({ storage, list: (prefix) => storage.list(prefix), sessions, listMaxAgeMs: 10 });
  const playlistRequest = {
    playbackId: session.playbackId,
    rendition: 'source',
    kind: 'playlist',
    file: '',
  } as const;
  const segmentNames = session.packaging.segments.map(({ msn }) => `${msn}.m4s`);
  const segmentUris = (text: string) => text.split('\n').filter((line) => line.endsWith('.m4s'));
  expect(segmentUris(livePlaylist).length).toBeLessThan(segmentNames.length);
  await expect
    .poll(async () =>
      segmentUris((await dvr.extendPlaylist(playlistRequest, Buffer.from(livePlaylist))).toString()),
    )
    .toEqual(segmentNames);
  const oldest = await dvr.findFile({ ...playlistRequest, kind: 'media', file: segmentNames[0] ?? '' });
  expect((await storage.head(oldest?.key ?? ''))?.bytes).toBeGreaterThan(0);
  await session.recorder.close();
  await endSession(session);
  await expect.poll(() => spool.listFolders()).toEqual([]);
  await deleteRecordings(ctx);
  expect(await countStoredFiles(session.sessionId)).toBe(0);
  await lifecycle.close();
});

test('a killed process leaves no files behind, neither in the storage nor in the spool', async () => {
  const session = await startLiveStream(new Spool(dataDir));
  await endSession(session);
  // The next process finds segments of a session that is over. A negative time makes even a new folder count as abandoned.
  const spool = new Spool(dataDir, 'jobs');
  expect(await spool.listSessionIds()).toEqual([session.sessionId]);
  const lifecycle = new Lifecycle(log);
  startDrainingSpool(ctx, spool, lifecycle, { quietMs: -1_000 });
  await expect.poll(() => spool.listFolders()).toEqual([]);
  expect(await countStoredFiles(session.sessionId)).toBe(0);
  expect(await db.session.findUnique({ where: { id: session.sessionId } })).toMatchObject({
    recording: 'none',
  });
  await lifecycle.close();
});

test('after a kill during the storing of segments, the sweep deletes them at the end of the session', async () => {
  const session = await startLiveStream(new Spool(dataDir));
  const spool = new Spool(dataDir, 'jobs');
  const lifecycle = new Lifecycle(log);
  startDrainingSpool(ctx, spool, lifecycle, { quietMs: -1_000 });
  await expect.poll(() => countStoredFiles(session.sessionId)).toBeGreaterThan(0);
  await endSession(session);
  await expect.poll(() => spool.listFolders()).toEqual([]);
  await deleteRecordings(ctx);
  expect(await countStoredFiles(session.sessionId)).toBe(0);
  await lifecycle.close();
});
