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
const startOrResume = (stream: Parameters<typeof startOrResumeSession>[1], runningSessionId?: string) =>
  transact(ctx, (tx) => startOrResumeSession(tx, stream, runningSessionId));

/** Stores that the last media of a session arrived `msAgo` milliseconds ago. */
const setLastMedia = (id: string, msAgo: number) =>
  db.session.update({ where: { id }, data: { lastSeen: new Date(Date.now() - msAgo) } });

describe('startOrResumeSession', () => {
  test('a new session has the team, playback id and configuration of its stream', async () => {
    const stream = await createStream(teamId, { record: true });
    const { sessionId, resumed } = await startOrResume(stream);
    expect(resumed).toBe(false);
    expect(await sessionsOf(stream.id)).toEqual([
      expect.objectContaining({
        id: sessionId,
        teamId,
        parentId: stream.id,
        playbackId: stream.playbackId,
        name: stream.name,
        record: true,
        profiles: [],
        state: 'live',
        endedAt: null,
      }),
    ]);
  });

  test('a publish inside the reconnect window resumes the session with its original configuration', async () => {
    const stream = await createStream(teamId);
    const firstSession = await startOrResume(stream);
    await setLastMedia(firstSession.sessionId, 55_000);
    await startReconnectWindow(ctx, stream.id);
    expect(await startOrResume({ ...stream, record: true })).toEqual({ ...firstSession, resumed: true });
    expect(await sessionsOf(stream.id)).toMatchObject([{ state: 'live', record: false }]);
  });

  test('a publish after the reconnect window ends the old session and starts another', async () => {
    const stream = await createStream(teamId);
    const firstSession = await startOrResume(stream);
    await setLastMedia(firstSession.sessionId, 65_000);
    const secondSession = await startOrResume(stream);
    expect(secondSession).toMatchObject({ resumed: false });
    const [endedSession, liveSession] = await sessionsOf(stream.id);
    expect(endedSession).toMatchObject({ id: firstSession.sessionId, state: 'ended' });
    expect(endedSession?.endedAt).not.toBeNull();
    expect(liveSession).toMatchObject({ id: secondSession.sessionId, state: 'live' });
  });

  test('a publish after the reconnect window resumes the session while its slate is on air, and not after `slateSeconds`', async () => {
    const slateReport = (msAgo: number) => ({ input: 'slate', since: Date.now() - msAgo, byHand: false });
    const stream = await createStream(teamId);
    const firstSession = await startOrResume(stream);
    await setLastMedia(firstSession.sessionId, 300_000);
    const resumedSession = await startOrResume({
      ...stream,
      slateSeconds: 600,
      program: slateReport(299_000),
    });
    expect(resumedSession).toEqual({ ...firstSession, resumed: true });
    await setLastMedia(firstSession.sessionId, 700_000);
    const nextSession = await startOrResume({ ...stream, slateSeconds: 600, program: slateReport(699_000) });
    expect(nextSession.resumed).toBe(false);
  });

  test('a publish resumes the running session even if its stored last-media time is older than the reconnect window, unless it has ended', async () => {
    const stream = await createStream(teamId);
    const firstSession = await startOrResume(stream);
    await setLastMedia(firstSession.sessionId, 65_000);
    expect(await startOrResume(stream, firstSession.sessionId)).toEqual({ ...firstSession, resumed: true });
    await db.session.update({ where: { id: firstSession.sessionId }, data: { state: 'ended' } });
    expect(await startOrResume(stream, firstSession.sessionId)).toMatchObject({ resumed: false });
  });

  test('an ended session is not resumed, even inside its reconnect window', async () => {
    const stream = await createStream(teamId);
    const firstSession = await startOrResume(stream);
    await db.session.update({ where: { id: firstSession.sessionId }, data: { state: 'ended' } });
    expect((await startOrResume(stream)).sessionId).not.toBe(firstSession.sessionId);
  });

  test('a session that ends during a reconnect is not resumed', async () => {
    const stream = await createStream(teamId);
    const firstSession = await startOrResume(stream);
    await setLastMedia(firstSession.sessionId, 55_000);
    await startReconnectWindow(ctx, stream.id);
    let starting: ReturnType<typeof startOrResume> | undefined;
    await db.$transaction(
      async (endingTransaction) => {
        await endingTransaction.session.update({
          where: { id: firstSession.sessionId },
          data: { state: 'ended', endedAt: new Date() },
        });
        starting = startOrResume(stream);
        // This open transaction holds the row lock until the other call waits for it.
        await expect.poll(() => hasLockWaits(db), { timeout: 15_000 }).toBe(true);
      },
      { timeout: 20_000 },
    );
    expect(await starting).toMatchObject({ resumed: false });
    expect(await sessionsOf(stream.id)).toMatchObject([{ state: 'ended' }, { state: 'live' }]);
  });

  test('the reconnect window of a session without media begins at the start of the session', async () => {
    const stream = await createStream(teamId);
    const firstSession = await startOrResume(stream);
    await db.session.update({
      where: { id: firstSession.sessionId },
      data: { createdAt: new Date(Date.now() - 65_000) },
    });
    expect((await startOrResume(stream)).resumed).toBe(false);
  });
});

describe('endExpiredSession', () => {
  test('ends only the waiting session whose reconnect window has passed, and only once', async () => {
    const [expiredStream, waitingStream, liveStream] = [
      await createStream(teamId),
      await createStream(teamId),
      await createStream(teamId),
    ];
    const sessionIds = await Promise.all(
      [expiredStream, waitingStream, liveStream].map(
        async (stream) => (await startOrResume(stream)).sessionId,
      ),
    );
    await setLastMedia(sessionIds[0] ?? '', 65_000);
    await setLastMedia(sessionIds[1] ?? '', 50_000);
    await setLastMedia(sessionIds[2] ?? '', 65_000);
    await startReconnectWindow(ctx, expiredStream.id);
    await startReconnectWindow(ctx, waitingStream.id);
    // Each session is ended by two concurrent calls, as by two nodes.
    const results = await Promise.all([...sessionIds, ...sessionIds].map((id) => endExpiredSession(ctx, id)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect((await sessionsOf(expiredStream.id))[0]).toMatchObject({ state: 'ended' });
    expect((await sessionsOf(waitingStream.id))[0]).toMatchObject({ state: 'waiting' });
    expect((await sessionsOf(liveStream.id))[0]).toMatchObject({ state: 'live' });
  });

  test('finishes a recording that starts while the session ends', async () => {
    const stream = await createStream(teamId, { record: true });
    const { sessionId } = await startOrResume(stream);
    await setLastMedia(sessionId, 65_000);
    await startReconnectWindow(ctx, stream.id);
    let ending: Promise<boolean> | undefined;
    await db.$transaction(
      async (recordingTransaction) => {
        await recordingTransaction.session.update({
          where: { id: sessionId },
          data: { recording: 'waiting' },
        });
        ending = endExpiredSession(ctx, sessionId);
        // This open transaction holds the row lock until the other call waits for it.
        await expect.poll(() => hasLockWaits(db), { timeout: 15_000 }).toBe(true);
      },
      { timeout: 20_000 },
    );
    expect(await ending).toBe(true);
    expect(await sessionsOf(stream.id)).toMatchObject([{ state: 'ended', recording: 'processing' }]);
  });
});
