import { describe, expect, test } from 'vitest';
import { transact } from '@/lib/domain/context';
import { hasLockWaits } from '@/lib/infra/testing/lock-waits';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { endExpiredSession, startReconnectWindow } from './end-session';
import { startOrResumeSession } from './start-or-resume';

const { ctx, db, createTeam, createStream, sessionsOf } = createLiveFixtures(await createTestDatabase(), {
  settings: { sessionReconnectSeconds: 60 },
});
const teamId = await createTeam();
const startOrResume = (row: Parameters<typeof startOrResumeSession>[1], runningSessionId?: string) =>
  transact(ctx, (tx) => startOrResumeSession(tx, row, runningSessionId));

/** Sets the time of the last media of a session. */
const setLastMedia = (id: string, msAgo: number) =>
  db.session.update({ where: { id }, data: { lastSeen: new Date(Date.now() - msAgo) } });

describe('startOrResumeSession', () => {
  test('a new session has the team, playback id and configuration of its stream', async () => {
    const row = await createStream(teamId, { record: true });
    const { sessionId, resumed } = await startOrResume(row);
    expect(resumed).toBe(false);
    expect(await sessionsOf(row.id)).toEqual([
      expect.objectContaining({
        id: sessionId,
        teamId,
        parentId: row.id,
        playbackId: row.playbackId,
        name: row.name,
        record: true,
        profiles: [],
        state: 'live',
        endedAt: null,
      }),
    ]);
  });

  test('a publish inside the reconnect window resumes the session with its original configuration', async () => {
    const row = await createStream(teamId);
    const firstSession = await startOrResume(row);
    await setLastMedia(firstSession.sessionId, 55_000);
    await startReconnectWindow(ctx, row.id);
    expect(await startOrResume({ ...row, record: true })).toEqual({ ...firstSession, resumed: true });
    expect(await sessionsOf(row.id)).toMatchObject([{ state: 'live', record: false }]);
  });

  test('a publish after the reconnect window ends the old session and starts another', async () => {
    const row = await createStream(teamId);
    const firstSession = await startOrResume(row);
    await setLastMedia(firstSession.sessionId, 65_000);
    const secondSession = await startOrResume(row);
    expect(secondSession).toMatchObject({ resumed: false });
    const [endedSession, runningSession] = await sessionsOf(row.id);
    expect(endedSession).toMatchObject({ id: firstSession.sessionId, state: 'ended' });
    expect(endedSession?.endedAt).not.toBeNull();
    expect(runningSession).toMatchObject({ id: secondSession.sessionId, state: 'live' });
  });

  test('a publish after the reconnect window resumes the session while its slate is on air', async () => {
    const slateReport = (msAgo: number) => ({ input: 'slate', since: Date.now() - msAgo, byHand: false });
    const row = await createStream(teamId);
    const firstSession = await startOrResume(row);
    await setLastMedia(firstSession.sessionId, 300_000);
    const resumedSession = await startOrResume({ ...row, slateSeconds: 600, program: slateReport(299_000) });
    expect(resumedSession).toEqual({ ...firstSession, resumed: true });
    await setLastMedia(firstSession.sessionId, 700_000);
    const nextSession = await startOrResume({ ...row, slateSeconds: 600, program: slateReport(699_000) });
    expect(nextSession.resumed).toBe(false);
  });

  test('a publish resumes the session that is on air, even if its last media was stored before the reconnect window', async () => {
    const row = await createStream(teamId);
    const firstSession = await startOrResume(row);
    await setLastMedia(firstSession.sessionId, 65_000);
    expect(await startOrResume(row, firstSession.sessionId)).toEqual({ ...firstSession, resumed: true });
    await db.session.update({ where: { id: firstSession.sessionId }, data: { state: 'ended' } });
    expect(await startOrResume(row, firstSession.sessionId)).toMatchObject({ resumed: false });
  });

  test('an ended session is not resumed', async () => {
    const row = await createStream(teamId);
    const firstSession = await startOrResume(row);
    await db.session.update({ where: { id: firstSession.sessionId }, data: { state: 'ended' } });
    expect((await startOrResume(row)).sessionId).not.toBe(firstSession.sessionId);
  });

  test('a session that ends during a reconnect is not resumed', async () => {
    const row = await createStream(teamId);
    const firstSession = await startOrResume(row);
    await setLastMedia(firstSession.sessionId, 55_000);
    await startReconnectWindow(ctx, row.id);
    let starting: ReturnType<typeof startOrResume> | undefined;
    await db.$transaction(
      async (endingTransaction) => {
        await endingTransaction.session.update({
          where: { id: firstSession.sessionId },
          data: { state: 'ended', endedAt: new Date() },
        });
        starting = startOrResume(row);
        await expect.poll(() => hasLockWaits(db), { timeout: 15_000 }).toBe(true);
      },
      { timeout: 20_000 },
    );
    expect(await starting).toMatchObject({ resumed: false });
    expect(await sessionsOf(row.id)).toMatchObject([{ state: 'ended' }, { state: 'live' }]);
  });

  test('a session without media counts its reconnect window from the start', async () => {
    const row = await createStream(teamId);
    const firstSession = await startOrResume(row);
    await db.session.update({
      where: { id: firstSession.sessionId },
      data: { createdAt: new Date(Date.now() - 65_000) },
    });
    expect((await startOrResume(row)).resumed).toBe(false);
  });
});

describe('endExpiredSession', () => {
  test('ends a waiting session after the reconnect window, counted from its last media, and no live session', async () => {
    const [expiredStream, waitingStream, liveStream] = [
      await createStream(teamId),
      await createStream(teamId),
      await createStream(teamId),
    ];
    const ids = await Promise.all(
      [expiredStream, waitingStream, liveStream].map(async (row) => (await startOrResume(row)).sessionId),
    );
    await setLastMedia(ids[0] ?? '', 65_000);
    await setLastMedia(ids[1] ?? '', 50_000);
    await setLastMedia(ids[2] ?? '', 65_000);
    await startReconnectWindow(ctx, expiredStream.id);
    await startReconnectWindow(ctx, waitingStream.id);
    const results = await Promise.all([...ids, ...ids].map((id) => endExpiredSession(ctx, id)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect((await sessionsOf(expiredStream.id))[0]).toMatchObject({ state: 'ended' });
    expect((await sessionsOf(waitingStream.id))[0]).toMatchObject({ state: 'waiting' });
    expect((await sessionsOf(liveStream.id))[0]).toMatchObject({ state: 'live' });
  });

  test('finishes a recording that starts while the session ends', async () => {
    const row = await createStream(teamId, { record: true });
    const { sessionId } = await startOrResume(row);
    await setLastMedia(sessionId, 65_000);
    await startReconnectWindow(ctx, row.id);
    let ending: Promise<boolean> | undefined;
    await db.$transaction(
      async (recordingTransaction) => {
        await recordingTransaction.session.update({
          where: { id: sessionId },
          data: { recording: 'waiting' },
        });
        ending = endExpiredSession(ctx, sessionId);
        await expect.poll(() => hasLockWaits(db), { timeout: 15_000 }).toBe(true);
      },
      { timeout: 20_000 },
    );
    expect(await ending).toBe(true);
    expect(await sessionsOf(row.id)).toMatchObject([{ state: 'ended', recording: 'processing' }]);
  });
});
