import { describe, expect, test } from 'vitest';
import { transact } from '@/lib/domain/context';
import { hasLockWaits } from '@/lib/infra/testing/lock-waits';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { endExpiredSession, startReconnectWindow } from './end-session';
import { startOrResumeSession } from './start-or-resume';

const { ctx, db, createTeam, createStream, sessionsOf } = createLiveFixtures(await testDatabase(), {
  settings: { sessionReconnectSeconds: 60 },
});
const teamId = await createTeam();
const start = (row: Parameters<typeof startOrResumeSession>[1], runningSessionId?: string) =>
  transact(ctx, (tx) => startOrResumeSession(tx, row, runningSessionId));

const lastMedia = (id: string, msAgo: number) =>
  db.session.update({ where: { id }, data: { lastSeen: new Date(Date.now() - msAgo) } });

describe('startOrResumeSession', () => {
  test('a new session has the team, playback id and configuration of its stream', async () => {
    const row = await createStream(teamId, { record: true });
    const { sessionId, resumed } = await start(row);
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
    const first = await start(row);
    await lastMedia(first.sessionId, 55_000);
    await startReconnectWindow(ctx, row.id);
    expect(await start({ ...row, record: true })).toEqual({ ...first, resumed: true });
    expect(await sessionsOf(row.id)).toMatchObject([{ state: 'live', record: false }]);
  });

  test('a publish after the reconnect window ends the old session and starts another', async () => {
    const row = await createStream(teamId);
    const first = await start(row);
    await lastMedia(first.sessionId, 65_000);
    const second = await start(row);
    expect(second).toMatchObject({ resumed: false });
    const [endedSession, running] = await sessionsOf(row.id);
    expect(endedSession).toMatchObject({ id: first.sessionId, state: 'ended' });
    expect(endedSession?.endedAt).not.toBeNull();
    expect(running).toMatchObject({ id: second.sessionId, state: 'live' });
  });

  test('a publish after the reconnect window resumes the session while its slate is on air', async () => {
    const report = (msAgo: number) => ({ input: 'slate', since: Date.now() - msAgo, byHand: false });
    const row = await createStream(teamId);
    const first = await start(row);
    await lastMedia(first.sessionId, 300_000);
    const resumedSession = await start({ ...row, slateSeconds: 600, program: report(299_000) });
    expect(resumedSession).toEqual({ ...first, resumed: true });
    await lastMedia(first.sessionId, 700_000);
    const next = await start({ ...row, slateSeconds: 600, program: report(699_000) });
    expect(next.resumed).toBe(false);
  });

  test('a publish resumes the session that is on air, even if its last media was stored before the reconnect window', async () => {
    const row = await createStream(teamId);
    const first = await start(row);
    await lastMedia(first.sessionId, 65_000);
    expect(await start(row, first.sessionId)).toEqual({ ...first, resumed: true });
    await db.session.update({ where: { id: first.sessionId }, data: { state: 'ended' } });
    expect(await start(row, first.sessionId)).toMatchObject({ resumed: false });
  });

  test('an ended session is never resumed', async () => {
    const row = await createStream(teamId);
    const first = await start(row);
    await db.session.update({ where: { id: first.sessionId }, data: { state: 'ended' } });
    expect((await start(row)).sessionId).not.toBe(first.sessionId);
  });

  test('a session that ends during a reconnect is not resumed', async () => {
    const row = await createStream(teamId);
    const first = await start(row);
    await lastMedia(first.sessionId, 55_000);
    await startReconnectWindow(ctx, row.id);
    let starting: ReturnType<typeof start> | undefined;
    await db.$transaction(
      async (clock) => {
        await clock.session.update({
          where: { id: first.sessionId },
          data: { state: 'ended', endedAt: new Date() },
        });
        starting = start(row);
        await expect.poll(() => hasLockWaits(db), { timeout: 15_000 }).toBe(true);
      },
      { timeout: 20_000 },
    );
    expect(await starting).toMatchObject({ resumed: false });
    expect(await sessionsOf(row.id)).toMatchObject([{ state: 'ended' }, { state: 'live' }]);
  });

  test('a session without media counts its reconnect window from the start', async () => {
    const row = await createStream(teamId);
    const first = await start(row);
    await db.session.update({
      where: { id: first.sessionId },
      data: { createdAt: new Date(Date.now() - 65_000) },
    });
    expect((await start(row)).resumed).toBe(false);
  });
});

describe('endExpiredSession', () => {
  test('ends waiting sessions after the reconnect window, counted from the last media, and never live ones', async () => {
    const [over, inside, live] = [
      await createStream(teamId),
      await createStream(teamId),
      await createStream(teamId),
    ];
    const ids = await Promise.all([over, inside, live].map(async (row) => (await start(row)).sessionId));
    await lastMedia(ids[0] ?? '', 65_000);
    await lastMedia(ids[1] ?? '', 50_000);
    await lastMedia(ids[2] ?? '', 65_000);
    await startReconnectWindow(ctx, over.id);
    await startReconnectWindow(ctx, inside.id);
    const results = await Promise.all([...ids, ...ids].map((id) => endExpiredSession(ctx, id)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect((await sessionsOf(over.id))[0]).toMatchObject({ state: 'ended' });
    expect((await sessionsOf(inside.id))[0]).toMatchObject({ state: 'waiting' });
    expect((await sessionsOf(live.id))[0]).toMatchObject({ state: 'live' });
  });

  test('finishes a recording that starts while the session ends', async () => {
    const row = await createStream(teamId, { record: true });
    const { sessionId } = await start(row);
    await lastMedia(sessionId, 65_000);
    await startReconnectWindow(ctx, row.id);
    let ending: Promise<boolean> | undefined;
    await db.$transaction(
      async (finder) => {
        await finder.session.update({ where: { id: sessionId }, data: { recording: 'waiting' } });
        ending = endExpiredSession(ctx, sessionId);
        await expect.poll(() => hasLockWaits(db), { timeout: 15_000 }).toBe(true);
      },
      { timeout: 20_000 },
    );
    expect(await ending).toBe(true);
    expect(await sessionsOf(row.id)).toMatchObject([{ state: 'ended', recording: 'processing' }]);
  });
});
