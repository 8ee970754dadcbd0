import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { loadMachineId } from '@/lib/infra/machine-id';
import { registerNode, setDraining } from '@/lib/domain/nodes';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { authorizePublish, markActive } from '@/lib/domain/streams';
import { openQueues } from '@/lib/infra/queue/queue';
import { openStorage } from '@/lib/infra/storage';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { drawTextTestPlan } from '@/media-worker/media/ffmpeg/live-args';
import type { FfmpegResult } from '@/media-worker/media/ffmpeg/run';
import { SteadyPeriod } from '@/media-worker/kit/process/presence';
import { createMaintenanceHandler, createSweeps } from '@/media-worker/maintenance/sweeps';
import { testPatternQuery } from '@/media-worker/media/packets/publish';
import {
  restartDelayMs,
  TestPatterns,
  createTestPatternJobs,
  type RunFfmpeg,
} from '@/media-worker/maintenance/test-patterns';

const dataDir = await mkdtemp(join(tmpdir(), 'jobs-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const { ctx, db, createTeam, createStream, createNode, readStream, eventsOf } = createLiveFixtures(
  await createTestDatabase(),
  {
    settings: { dataDir },
  },
);
const storage = openStorage(ctx.settings);
const teamId = await createTeam();

/** Creates a context with a monotonic clock that the test advances. */
function createTimedContext() {
  const time = { ms: 0 };
  return { time, ctx: { ...ctx, clock: { now: () => new Date(), monotonic: () => time.ms } } };
}

describe('sweeps', () => {
  async function createAbandonedStream() {
    const [row, nodeId] = [await createStream(teamId), await createNode()];
    const publish = await authorizePublish(ctx, { streamId: row.id, nodeId });
    await markActive(ctx, {
      streamId: row.id,
      nodeId,
      publishNumber: publish?.publishNumber ?? 0,
      issues: [],
    });
    await db.node.update({ where: { id: nodeId }, data: { seenAt: new Date(Date.now() - 31_000) } });
    return { row, nodeId };
  }

  const createSweepsAfter = (steadyMs: number) =>
    createSweeps({ ...ctx, storage }, [], {
      presence: { steadyMs: () => steadyMs },
      olderAssets: { run: () => Promise.resolve() },
      mailer: null,
    });

  test('declare nodes dead only after the database has answered for 12 s', async () => {
    const { row, nodeId } = await createAbandonedStream();
    await createSweepsAfter(11_999).due();
    expect(await readStream(row.id)).toMatchObject({ isActive: true });
    await createSweepsAfter(12_000).due();
    expect(await readStream(row.id)).toMatchObject({ isActive: false, liveNodeId: null });
    expect((await eventsOf(row.id)).map(({ name }) => name)).toEqual(['stream.started', 'stream.idle']);
    // Operators see the node for a day.
    expect(await db.node.findUnique({ where: { id: nodeId } })).not.toBeNull();
    await db.node.update({ where: { id: nodeId }, data: { seenAt: new Date(Date.now() - 25 * 3_600_000) } });
    await createSweepsAfter(12_000).due();
    expect(await db.node.findUnique({ where: { id: nodeId } })).toBeNull();
  });

  test('count these 12 s from the first answer after the database was unavailable or slow', async () => {
    const { time, ctx: timedContext } = createTimedContext();
    const steadyPeriod = new SteadyPeriod(timedContext.clock);
    const measureAt = async (atMs: number, tookMs = 0) => {
      time.ms = atMs;
      await steadyPeriod.measure(() => Promise.resolve(void (time.ms += tookMs)));
      return steadyPeriod.steadyMs;
    };
    expect(await measureAt(1_000)).toBe(0);
    expect(await measureAt(9_000)).toBe(8_000);
    await expect(steadyPeriod.measure(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(steadyPeriod.steadyMs).toBe(0);
    expect(await measureAt(11_000)).toBe(0);
    expect(await measureAt(12_000, 3_001)).toBe(0);
    expect(await measureAt(20_000)).toBe(0);
    expect(await measureAt(25_000)).toBe(5_000);
  });

  test('skip a period if the same sweep is still running, and run others meanwhile', async () => {
    const startedSweeps: string[] = [];
    let end: () => void = () => undefined;
    const whenEnded = new Promise<void>((resolve) => (end = resolve));
    const { run } = createMaintenanceHandler({
      ...createSweepsAfter(0),
      storage: () => Promise.resolve(startedSweeps.push('storage')).then(() => whenEnded),
      attempts: () => Promise.resolve(void startedSweeps.push('attempts')),
    });
    const { signal } = new AbortController();
    const firstRun = run({ sweep: 'storage' }, signal);
    await run({ sweep: 'storage' }, signal);
    await run({ sweep: 'attempts' }, signal);
    expect(startedSweeps).toEqual(['storage', 'attempts']);
    end();
    await firstRun;
    await run({ sweep: 'storage' }, signal);
    expect(startedSweeps).toHaveLength(3);
  });
});

describe('test patterns', () => {
  /** An ffmpeg that runs until it is stopped or made to fail. */
  function createFakeFfmpeg() {
    const startedIds: string[] = [];
    const ends: ((result: FfmpegResult) => void)[] = [];
    const run = vi.fn<RunFfmpeg>((plan, options) => {
      if (options === undefined) {
        const result = Promise.resolve({ ok: true } as const);
        return { whenDone: result, pid: () => undefined, stop: () => result };
      }
      startedIds.push(plan.outputs[0]?.url ?? '');
      let end: (result: FfmpegResult) => void = () => undefined;
      const result = new Promise<FfmpegResult>((resolve) => (end = resolve));
      ends.push(end);
      return {
        whenDone: result,
        pid: () => undefined,
        stop() {
          end({ ok: true });
          return result;
        },
      };
    });
    const failRun = async (index: number) => {
      ends[index]?.({ ok: false, reason: 'killed' });
      await Promise.resolve();
      await Promise.resolve();
    };
    return { run, startedIds, failRun };
  }
  const inOneMinute = () => new Date(Date.now() + 60_000);
  const setTestPatternUntil = (id: string, testPatternUntil: Date | null) =>
    db.stream.update({ where: { id }, data: { testPatternUntil } });

  test('run for the streams that request them, and stop with the row', async () => {
    const row = await createStream(teamId, { testPatternUntil: inOneMinute() });
    const { run, startedIds } = createFakeFfmpeg();
    const patterns = new TestPatterns(ctx, run);
    const publishing = patterns.publish(row.id, new AbortController().signal);
    await expect.poll(() => startedIds).toEqual([`rtmp://127.0.0.1:${ctx.settings.rtmpPort}/`]);
    const options = run.mock.lastCall?.[0].outputs[0]?.options ?? [];
    // ffmpeg reads the key from a file, so it never appears on the command line.
    expect(JSON.stringify(run.mock.lastCall?.[0])).not.toContain(row.streamKey);
    const file = options[options.indexOf('-fpre') + 1] ?? '';
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(`rtmp_playpath=${row.streamKey}${testPatternQuery}\n`);
    expect(run.mock.lastCall?.[1]?.secrets).toEqual([row.streamKey]);
    await setTestPatternUntil(row.id, null);
    patterns.refresh(row.id);
    await publishing;
    await expect.poll(() => existsSync(file)).toBe(false);
    // A job that runs after the stop does nothing.
    await patterns.publish(row.id, new AbortController().signal);
    expect(startedIds).toHaveLength(1);
  });

  test('are published without another test whether ffmpeg can draw text', async () => {
    const row = await createStream(teamId, { testPatternUntil: inOneMinute() });
    const { run, startedIds } = createFakeFfmpeg();
    const patterns = new TestPatterns(ctx, run);
    patterns.prepare();
    expect(run.mock.calls.map(([plan]) => plan)).toEqual([drawTextTestPlan]);
    const abortController = new AbortController();
    const publishing = patterns.publish(row.id, abortController.signal);
    await expect.poll(() => startedIds.length).toBe(1);
    expect(run.mock.calls).toHaveLength(2);
    abortController.abort();
    await publishing;
    await setTestPatternUntil(row.id, null);
  });

  test('end when their job is aborted', async () => {
    const row = await createStream(teamId, { testPatternUntil: inOneMinute() });
    const { run, startedIds } = createFakeFfmpeg();
    const patterns = new TestPatterns(ctx, run);
    const abortController = new AbortController();
    const publishing = patterns.publish(row.id, abortController.signal);
    await expect.poll(() => startedIds.length).toBe(1);
    abortController.abort();
    await publishing;
    expect(startedIds).toHaveLength(1);
    await setTestPatternUntil(row.id, null);
  });

  test('are published to another machine while this one drains', async () => {
    const announce = async (machineId: string, rtmpUrl: string) => {
      const node = { id: randomUUID(), role: 'live', url: 'http://127.0.0.1:1', machineId } as const;
      const settings = { ...ctx.settings, rtmpUrl };
      await registerNode({ ...ctx, settings }, node, {
        streamCount: null,
        cpuHeadroomRatio: null,
        diskFreeBytes: null,
      });
      return { nodeId: node.id };
    };
    const ownNode = await announce(await loadMachineId(ctx.settings.dataDir), 'rtmp://here.example/live');
    await announce(randomUUID(), 'rtmp://there.example:1936/live');
    await setDraining(ctx, ownNode, true);
    const row = await createStream(teamId, { testPatternUntil: inOneMinute() });
    const { run, startedIds, failRun } = createFakeFfmpeg();
    const abortController = new AbortController();
    const publishing = new TestPatterns(ctx, run).publish(row.id, abortController.signal);
    await expect.poll(() => startedIds).toEqual(['rtmp://there.example:1936/']);
    await setDraining(ctx, ownNode, false);
    await failRun(0);
    await expect
      .poll(() => startedIds.at(-1), { timeout: 60_000 })
      .toBe(`rtmp://127.0.0.1:${ctx.settings.rtmpPort}/`);
    abortController.abort();
    await publishing;
    await setTestPatternUntil(row.id, null);
    await db.node.deleteMany();
  });

  test('are restarted after ffmpeg died, and not without a request', async () => {
    const row = await createStream(teamId, { testPatternUntil: inOneMinute() });
    const { run, startedIds, failRun } = createFakeFfmpeg();
    const patterns = new TestPatterns(ctx, run);
    const publishing = patterns.publish(row.id, new AbortController().signal);
    await expect.poll(() => startedIds.length).toBe(1);
    await failRun(0);
    await expect.poll(() => startedIds.length).toBe(2);
    await failRun(1);
    await setTestPatternUntil(row.id, null);
    patterns.refresh(row.id);
    await publishing;
    expect(startedIds).toHaveLength(2);
  });

  test('wait longer before each restart, up to 30 s', () => {
    expect([1, 2, 3, 4, 5, 6, 20].map(restartDelayMs)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
  });

  test('have one job per stream, whichever processes add it, and none without a request', async () => {
    const row = await createStream(teamId, { testPatternUntil: inOneMinute() });
    const streamWithoutRequest = await createStream(teamId);
    const queues = openQueues(ctx.settings, ctx.log);
    const jobs = createTestPatternJobs(ctx, queues);
    await Promise.all([jobs.addFor([row.id, streamWithoutRequest.id]), jobs.addAll(), jobs.addFor([row.id])]);
    const counts = (await queues.counts()).find(({ name }) => name === 'patterns');
    expect(counts).toMatchObject({ waiting: 1, active: 0 });
    await queues.close();
    await setTestPatternUntil(row.id, null);
  });
});
