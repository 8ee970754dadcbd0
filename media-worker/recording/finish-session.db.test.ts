import { afterAll, describe, expect, test } from 'vitest';
import type { WorkerContext } from '@/lib/domain/context';
import { recordingKey } from '@/lib/core/storage-keys';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { createRecordedSessions } from './testing/recorded-session';
import { finishSession } from './finish-session';

const sessions = await createRecordedSessions();
afterAll(() => sessions.remove());
const { ctx, db, createTeam, createStream, eventsOf } = createLiveFixtures(await createTestDatabase(), {
  settings: { dataDir: sessions.folder },
});
const { storage } = sessions;
const teamId = await createTeam();

const signal = AbortSignal.timeout(200_000);
const isNotInSpool = () => Promise.resolve(false);
const finish = (sessionId: string, contextChange: Partial<WorkerContext> = {}, optionsChange = {}) =>
  finishSession({ ...ctx, storage, ...contextChange }, sessionId, {
    inSpool: isNotInSpool,
    signal,
    ...optionsChange,
  });

async function createEndedSession({ media = true } = {}) {
  const parent = await createStream(teamId, { record: true });
  const session = await db.session.create({
    data: {
      teamId,
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

const findSession = (id: string) => db.session.findUniqueOrThrow({ where: { id } });

describe('an ended session', () => {
  test('gets its files, its asset, and its event when the asset is ready', async () => {
    const { sessionId, streamId } = await createEndedSession();
    await finish(sessionId);
    expect(await findSession(sessionId)).toMatchObject({ recording: 'importing' });
    for (const file of ['source.mp4', 'hls/index.m3u8', 'hls/source/index.m3u8']) {
      expect((await storage.head(recordingKey(sessionId, file)))?.bytes).toBeGreaterThan(50);
    }
    await finish(sessionId);
    expect(await findSession(sessionId)).toMatchObject({ recording: 'importing' });
    await db.asset.updateMany({ where: { sourceSessionId: sessionId }, data: { phase: 'ready' } });
    await finish(sessionId);
    expect(await findSession(sessionId)).toMatchObject({ recording: 'ready' });
    expect((await eventsOf(streamId)).map(({ name }) => name)).toEqual(['recording.ready']);
  });

  test('becomes one asset, even if three workers finish it at once and one of them is aborted', async () => {
    const { sessionId } = await createEndedSession();
    const leaseController = new AbortController();
    const runs = [
      finish(sessionId),
      finish(sessionId, {}, { signal: leaseController.signal }),
      finish(sessionId),
    ];
    leaseController.abort();
    await Promise.all(runs);
    await finish(sessionId);
    expect(await findSession(sessionId)).toMatchObject({ recording: 'importing' });
    expect(await db.asset.count({ where: { sourceSessionId: sessionId } })).toBe(1);
    expect(await db.task.count({ where: { outputAsset: { sourceSessionId: sessionId } } })).toBe(1);
  });

  test('is finished later if the spool of this node still has files of it', async () => {
    const { sessionId } = await createEndedSession();
    await finish(sessionId, {}, { inSpool: () => Promise.resolve(true) });
    const sessionRow = await findSession(sessionId);
    expect(sessionRow).toMatchObject({ recording: 'processing', recordingAttempts: 0 });
    expect(sessionRow.recordingDueAt?.getTime()).toBeGreaterThan(Date.now() - 5_000);
  });

  test('without stored segments has a failed recording with a reason', async () => {
    const { sessionId } = await createEndedSession({ media: false });
    await finish(sessionId);
    expect(await findSession(sessionId)).toMatchObject({
      recording: 'failed',
      recordingError: 'No media of the recording was stored.',
    });
  });

  test('is retried later when the storage fails', async () => {
    const { sessionId } = await createEndedSession();
    const brokenStorage = { ...storage, put: () => Promise.reject(new Error('input/output error')) };
    await finish(sessionId, { storage: brokenStorage });
    const waiting = await findSession(sessionId);
    expect(waiting).toMatchObject({ recording: 'processing', recordingAttempts: 1, recordingLease: null });
    expect(waiting.recordingDueAt?.getTime()).toBeGreaterThan(Date.now());
    await finish(sessionId);
    expect(await findSession(sessionId)).toMatchObject({ recordingAttempts: 1 });
    await db.session.update({ where: { id: sessionId }, data: { recordingDueAt: null } });
    await finish(sessionId);
    expect(await findSession(sessionId)).toMatchObject({ recording: 'importing' });
  });
});
