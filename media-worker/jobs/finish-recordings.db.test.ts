import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { WorkerContext } from '@/lib/context';
import { recordingKey } from '@/lib/core/storage-keys';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { liveFixtures } from '@/lib/testing/live-fixtures';
import { Packaging } from '../live/testing/packaging';
import { audioConfig, steadyFrames, videoConfig } from '../live/testing/synthetic-packets';
import { recordedSessions } from '../recording/testing/recorded-session';
import { FinishRecordings } from './finish-recordings';

const sessions = await recordedSessions();
afterAll(() => sessions.remove());
const { ctx, db, account, stream, eventsOf } = liveFixtures(await testDatabase(), {
  settings: { dataDir: sessions.folder },
});
const { storage } = sessions;
const userId = await account();
const open: FinishRecordings[] = [];
afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));

function worker(change: Partial<WorkerContext> = {}): FinishRecordings {
  const one = new FinishRecordings({ ...ctx, storage, ...change });
  open.push(one);
  return one;
}

/** A session that has ended; with media in the storage, or without. */
async function ended({ media = true } = {}) {
  const parent = await stream(userId, { record: true });
  const session = await db.session.create({
    data: {
      userId,
      parentId: parent.id,
      name: 'Town hall',
      playbackId: parent.playbackId,
      record: true,
      state: 'ended',
      recording: 'processing',
      endedAt: new Date(),
    },
  });
  if (media) {
    const packaging = new Packaging();
    packaging.run([videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 6_000 })]);
    await sessions.store(session.id, packaging);
  }
  return { sessionId: session.id, streamId: parent.id };
}

const sessionOf = (id: string) => db.session.findUniqueOrThrow({ where: { id } });
/** Looks until what was begun has ended so. */
async function until(id: string, state: string, look: () => Promise<void>) {
  const turn = async () => {
    const { recording } = await sessionOf(id);
    if (recording !== state) await look();
    return recording;
  };
  await expect.poll(turn).toBe(state);
}

describe('a session that is over', () => {
  test('gets its files, its asset, and its event when that is ready', async () => {
    const { sessionId, streamId } = await ended();
    const jobs = worker();
    await until(sessionId, 'importing', () => jobs.look());
    for (const file of ['source.mp4', 'hls/index.m3u8', 'hls/source/index.m3u8']) {
      expect((await storage.head(recordingKey(sessionId, file)))?.bytes).toBeGreaterThan(50);
    }
    await db.asset.updateMany({ where: { sourceSessionId: sessionId }, data: { phase: 'ready' } });
    await until(sessionId, 'ready', () => jobs.look());
    expect((await eventsOf(streamId)).map(({ name }) => name)).toEqual(['recording.ready']);
  });

  test('whichever processes look, and whichever of them die, it becomes one asset', async () => {
    const { sessionId } = await ended();
    const [first, second, third] = [worker(), worker(), worker()];
    await Promise.all([first.look(), second.look()]);
    await Promise.all([first.close(), second.close()]);
    // What a process that died leaves is its claim; it ends by itself.
    await db.session.updateMany({
      where: { id: sessionId, recording: 'processing' },
      data: { recordingDueAt: new Date(0) },
    });
    await until(sessionId, 'importing', () => third.look());
    expect(await db.asset.count({ where: { sourceSessionId: sessionId } })).toBe(1);
    expect(await db.task.count({ where: { outputAsset: { sourceSessionId: sessionId } } })).toBe(1);
  });

  test('without anything stored it has failed, and says so', async () => {
    const { sessionId } = await ended({ media: false });
    const jobs = worker();
    await until(sessionId, 'failed', () => jobs.look());
    expect(await sessionOf(sessionId)).toMatchObject({ recordingError: 'Nothing of it was stored.' });
  });

  test('is tried again later when the storage fails', async () => {
    const { sessionId } = await ended();
    const broken = { ...storage, put: () => Promise.reject(new Error('input/output error')) };
    const jobs = worker({ storage: broken });
    const attempts = async () => {
      await jobs.look();
      return (await sessionOf(sessionId)).recordingAttempts;
    };
    await expect.poll(attempts).toBe(1);
    await expect.poll(async () => (await sessionOf(sessionId)).recordingLease).toBeNull();
    const waiting = await sessionOf(sessionId);
    expect(waiting).toMatchObject({ recording: 'processing', recordingAttempts: 1, recordingLease: null });
    expect(waiting.recordingDueAt?.getTime()).toBeGreaterThan(Date.now());
    await db.session.update({ where: { id: sessionId }, data: { recordingDueAt: null } });
    await until(sessionId, 'importing', () => worker().look());
  });
});
