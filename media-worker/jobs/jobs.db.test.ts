import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { authorizePublish, markActive } from '@/lib/streams';
import { liveFixtures } from '@/lib/testing/live-fixtures';
import type { FfmpegResult } from '../ffmpeg/run';
import { createSweep } from './sweep';
import { TestPatterns, type RunFfmpeg } from './test-patterns';

const { ctx, db, account, stream, node, reread, eventsOf, sessionsOf } = liveFixtures(await testDatabase());
const userId = await account();

/** The same context with a monotonic clock that a test moves. */
function timed() {
  const time = { ms: 0 };
  return { time, ctx: { ...ctx, clock: { now: () => new Date(), monotonic: () => time.ms } } };
}

describe('sweep', () => {
  async function abandoned() {
    const [row, nodeId] = [await stream(userId), await node()];
    const publish = await authorizePublish(ctx, { streamId: row.id, nodeId });
    await markActive(ctx, { streamId: row.id, nodeId, run: publish?.run ?? 0, issues: [] });
    await db.node.update({ where: { id: nodeId }, data: { seenAt: new Date(Date.now() - 31_000) } });
    return { row, nodeId };
  }

  test('judges nodes only after the database has answered for 12 s', async () => {
    const { row, nodeId } = await abandoned();
    const { time, ctx: sweeping } = timed();
    const sweep = createSweep(sweeping);
    await sweep();
    time.ms = 11_999;
    await sweep();
    expect(await reread(row.id)).toMatchObject({ isActive: true });
    time.ms = 12_000;
    await sweep();
    expect(await reread(row.id)).toMatchObject({ isActive: false, liveNodeId: null });
    expect((await eventsOf(row.id)).map(({ name }) => name)).toEqual(['stream.started', 'stream.idle']);
    expect(await db.node.findUnique({ where: { id: nodeId } })).toBeNull();
  });

  test('begins to wait anew when the database was away', async () => {
    const { row } = await abandoned();
    const { time, ctx: sweeping } = timed();
    const connection = { away: false };
    const flaky = new Proxy(db, {
      get(target, property, receiver): unknown {
        if (connection.away) throw new Error('away');
        return Reflect.get(target, property, receiver);
      },
    });
    const sweep = createSweep({ ...sweeping, db: flaky });
    await sweep();
    time.ms = 11_000;
    connection.away = true;
    await expect(sweep()).rejects.toThrow('away');
    connection.away = false;
    time.ms = 13_000;
    await sweep();
    time.ms = 24_000;
    await sweep();
    expect(await reread(row.id)).toMatchObject({ isActive: true });
    time.ms = 25_000;
    await sweep();
    expect(await reread(row.id)).toMatchObject({ isActive: false });
  });

  test('ends sessions whose window is over', async () => {
    const { row } = await abandoned();
    const longAgo = new Date(Date.now() - 3_600_000);
    await db.session.updateMany({
      where: { parentId: row.id },
      data: { state: 'waiting', lastSeen: longAgo },
    });
    await createSweep(ctx)();
    expect(await sessionsOf(row.id)).toMatchObject([{ state: 'ended' }]);
  });
});

describe('test patterns', () => {
  /** An ffmpeg that runs until it is stopped or told to die. */
  function fakeFfmpeg() {
    const started: string[] = [];
    const ends: ((result: FfmpegResult) => void)[] = [];
    const run = vi.fn<RunFfmpeg>((plan, options) => {
      if (options === undefined) {
        const done = Promise.resolve({ ok: true } as const);
        return { done, stop: () => done };
      }
      started.push(plan.outputs[0]?.url ?? '');
      let end: (result: FfmpegResult) => void = () => undefined;
      const done = new Promise<FfmpegResult>((resolve) => (end = resolve));
      ends.push(end);
      return {
        done,
        stop() {
          end({ ok: true });
          return done;
        },
      };
    });
    const die = async (index: number) => {
      ends[index]?.({ ok: false, reason: 'killed' });
      await Promise.resolve();
      await Promise.resolve();
    };
    return { run, started, die };
  }
  const later = () => new Date(Date.now() + 60_000);
  const ask = (id: string, testPatternUntil: Date | null) =>
    db.stream.update({ where: { id }, data: { testPatternUntil } });

  test('run for the streams that ask for them, and stop with the row', async () => {
    const row = await stream(userId, { testPatternUntil: later() });
    const { run, started } = fakeFfmpeg();
    const patterns = new TestPatterns(ctx, run);
    await patterns.look();
    await patterns.look();
    expect(started).toEqual([`rtmp://127.0.0.1:${ctx.settings.rtmpPort}/`]);
    const words = run.mock.lastCall?.[0].outputs[0]?.options ?? [];
    // The key is in a file for ffmpeg alone, and in no word of its command line.
    expect(JSON.stringify(run.mock.lastCall?.[0])).not.toContain(row.streamKey);
    const file = words[words.indexOf('-fpre') + 1] ?? '';
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(`rtmp_playpath=${row.streamKey}\n`);
    expect(run.mock.lastCall?.[1]?.secrets).toEqual([row.streamKey]);
    await ask(row.id, null);
    await patterns.look();
    await patterns.close();
    await expect.poll(() => existsSync(file)).toBe(false);
    await ask(row.id, later());
    const { time, ctx: moving } = timed();
    time.ms = 0;
    const again = new TestPatterns(moving, run);
    await again.look();
    expect(started).toHaveLength(2);
    await ask(row.id, null);
    await again.close();
  });

  test('are started again after ffmpeg died, later each time', async () => {
    const row = await stream(userId, { testPatternUntil: later() });
    const { run, started, die } = fakeFfmpeg();
    const { time, ctx: moving } = timed();
    const patterns = new TestPatterns(moving, run);
    const startsAt: number[] = [];
    await patterns.look();
    for (let turn = 0; turn < 60; turn++) {
      if (started.length > startsAt.length) {
        startsAt.push(time.ms);
        await die(startsAt.length - 1);
      }
      time.ms += 1_000;
      await patterns.look();
    }
    expect(startsAt).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000]);
    await ask(row.id, null);
    await patterns.close();
  });
});
