import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresBackend, createRedisBackend, Queue } from 'bullmq';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sweeps, type QueueName } from '@/lib/contract/jobs';
import type { Logger } from '@/lib/infra/logger';
import { openQueues, type JobQueues } from '@/lib/infra/queue/queue';
import { postgresConnectionOptions, redisConnectionOptions } from '@/lib/infra/queue/queue-connections';
import {
  PermanentFailure,
  startWorkers,
  type JobHandler,
  type JobHandlers,
  type JobWorkers,
} from '@/media-worker/kit/process/workers';

export const silentLog = { warn: () => undefined } as unknown as Logger;
export const sessionId = crypto.randomUUID();

const closers: (() => Promise<void>)[] = [];

/**
 * Closes connections after each test. Each test file must call it, because hooks belong to the file that sets them
 * and files of one process share this module.
 */
export const closeAfterEach = (): void =>
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });

export interface TestBackend {
  settings: { databaseUrl: string; redisUrl: string | undefined };
  /** Closes every connection of clients to the server of the queues, as a restart of the server does. */
  dropConnections(): Promise<void>;
  /** Deletes all jobs and schedules of all queues without notifying the workers. */
  purge(): Promise<void>;
}

export function openTestQueues({ settings }: Pick<TestBackend, 'settings'>): JobQueues {
  const queues = openQueues(settings, silentLog);
  closers.push(() => queues.close());
  return queues;
}

export function startTestWorkers(
  backend: Pick<TestBackend, 'settings'>,
  handlers: JobHandlers,
  options = {},
): JobWorkers {
  const workers = startWorkers(backend.settings, openTestQueues(backend), handlers, silentLog, options);
  closers.push(() => workers.close());
  return workers;
}

/** Opens a queue directly with BullMQ, as an operator does with tools for BullMQ. */
export function openBullQueue({ settings }: Pick<TestBackend, 'settings'>, name: QueueName) {
  const { redisUrl } = settings;
  // One attempt per Redis command, or one PostgreSQL connection.
  const queue = redisUrl
    ? new Queue(
        name,
        { connection: redisConnectionOptions(redisUrl, { maxRetriesPerRequest: 1 }) },
        createRedisBackend,
      )
    : new Queue(name, { connection: postgresConnectionOptions(settings, 1) }, createPostgresBackend);
  closers.push(() => queue.close());
  return queue;
}

export type Run = JobHandler<'recordings'>['run'];
/** Handlers of a process that only runs jobs of the queue `recordings`, which most of the tests use. */
export const recordingsHandlers = (run: Run, options: Partial<JobHandler<'recordings'>> = {}) => ({
  recordings: { concurrency: 4, run, ...options },
});

export const countsOf = async (queues: JobQueues, queueName: string) =>
  (await queues.counts()).find(({ name }) => name === queueName);

/** Shared tests of the queue, on PostgreSQL and on Redis. */
export function testQueueBehaviour(backend: TestBackend): void {
  beforeEach(async () => {
    // On PostgreSQL, the first query creates the tables.
    await openTestQueues(backend).health();
    await backend.purge();
  });
  const add = (queues: JobQueues, options = {}) =>
    queues.enqueue('recordings', { sessionId }, { jobId: sessionId, ...options });

  it('runs a job that was added before the worker was started', async () => {
    await add(openTestQueues(backend));
    const run = vi.fn<Run>(() => Promise.resolve());
    startTestWorkers(backend, recordingsHandlers(run));
    await expect.poll(() => run).toHaveBeenCalledTimes(1);
    expect(run.mock.lastCall?.[0]).toEqual({ sessionId });
  });

  it('does not start a delayed job before its time', async () => {
    const runTimes: number[] = [];
    const queues = openTestQueues(backend);
    startTestWorkers(
      backend,
      recordingsHandlers(() => Promise.resolve(void runTimes.push(performance.now()))),
    );
    await add(queues);
    await expect.poll(() => runTimes).toHaveLength(1);
    await expect.poll(async () => (await countsOf(queues, 'recordings'))?.active).toBe(0);
    const addedAt = performance.now();
    await add(queues, { delayMs: 700 });
    await expect.poll(() => runTimes).toHaveLength(2);
    // The queue rounds times to milliseconds and reads another clock, so 10 ms are tolerated.
    expect((runTimes[1] ?? 0) - addedAt).toBeGreaterThanOrEqual(690);
  });

  it('counts a completed job at once, although BullMQ publishes its metrics once per minute', async () => {
    const queues = openTestQueues(backend);
    startTestWorkers(
      backend,
      recordingsHandlers(() => Promise.resolve()),
    );
    for (let completedCount = 1; completedCount <= 3; completedCount += 1) {
      await add(queues);
      await expect
        .poll(() => countsOf(queues, 'recordings'))
        .toMatchObject({ completed: completedCount, active: 0 });
    }
  });

  it('keeps one delayed job per id', async () => {
    const queues = openTestQueues(backend);
    for (let i = 0; i < 5; i += 1) await add(queues, { delayMs: 60_000 });
    expect(await countsOf(queues, 'recordings')).toMatchObject({ delayed: 1, waiting: 0 });
  });

  it('replaces a delayed job by one with another time, earlier or later', async () => {
    const queues = openTestQueues(backend);
    const run = vi.fn<Run>(() => Promise.resolve());
    startTestWorkers(backend, recordingsHandlers(run));
    await queues.reschedule('recordings', { sessionId }, { jobId: sessionId, delayMs: 1_000 });
    await queues.reschedule('recordings', { sessionId }, { jobId: sessionId, delayMs: 600_000 });
    await sleep(1_500);
    expect(run).not.toHaveBeenCalled();
    await queues.reschedule('recordings', { sessionId }, { jobId: sessionId });
    await expect.poll(() => run).toHaveBeenCalledTimes(1);
  });

  it('runs jobs of a lower priority number first', async () => {
    const queues = openTestQueues(backend);
    const ids = [5, 1, 3].map((priority) => ({ priority, sessionId: crypto.randomUUID() }));
    for (const { priority, sessionId: id } of ids) {
      await queues.enqueue('recordings', { sessionId: id }, { jobId: id, priority });
    }
    expect(await countsOf(queues, 'recordings')).toMatchObject({ waiting: 3 });
    const order: string[] = [];
    const run: Run = ({ sessionId: id }) => Promise.resolve(void order.push(id));
    startTestWorkers(backend, recordingsHandlers(run, { concurrency: 1 }));
    await expect.poll(() => order).toHaveLength(3);
    expect(order).toEqual([ids[1], ids[2], ids[0]].map((job) => job?.sessionId));
  });

  it('retries a job that fails, unless it fails with PermanentFailure', async () => {
    const queues = openTestQueues(backend);
    const run = vi.fn<Run>(() => Promise.resolve());
    run.mockRejectedValueOnce(new Error('not now')).mockRejectedValueOnce(new PermanentFailure('never'));
    startTestWorkers(backend, recordingsHandlers(run));
    await add(queues);
    await expect.poll(() => run).toHaveBeenCalledTimes(2);
    await expect
      .poll(() => countsOf(queues, 'recordings'))
      .toMatchObject({ active: 0, delayed: 0, waiting: 0 });
  });

  it('calls `afterwards` after each run, when a job with the same id can be added', async () => {
    const queues = openTestQueues(backend);
    const run = vi.fn<Run>(() => Promise.resolve());
    const afterwards = () => (run.mock.calls.length < 3 ? add(queues) : Promise.resolve());
    startTestWorkers(backend, recordingsHandlers(run, { afterwards }));
    await add(queues);
    await expect.poll(() => run).toHaveBeenCalledTimes(3);
  });

  it('calls `afterwards` even if the job was removed during its run', async () => {
    const queues = openTestQueues(backend);
    const started = deferredVoid();
    const released = deferredVoid();
    const afterwards = vi.fn(() => Promise.resolve());
    const run: Run = () => {
      started.resolve();
      return released.promise;
    };
    startTestWorkers(backend, recordingsHandlers(run, { afterwards }));
    await add(queues);
    await started.promise;
    await backend.purge();
    released.resolve();
    await expect.poll(() => afterwards).toHaveBeenCalledTimes(1);
    expect(afterwards).toHaveBeenCalledWith({ sessionId });
  });

  it('if a running job is removed and its id is enqueued again, the first run ends before the second one starts', async () => {
    const queues = openTestQueues(backend);
    const events: string[] = [];
    const run: Run = async (_, signal) => {
      // `push` returns the number of events.
      const isFirst = events.push('started') === 1;
      if (!isFirst) return;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await sleep(100);
      events.push('ended');
    };
    // After the first run, the last event is 'ended'. After the second one it is 'started', and no third job is added.
    const afterwards = () => (events.at(-1) === 'started' ? Promise.resolve() : add(queues));
    startTestWorkers(backend, recordingsHandlers(run, { afterwards }));
    await add(queues);
    await expect.poll(() => events).toEqual(['started']);
    await backend.purge();
    await add(queues);
    await expect.poll(() => events).toEqual(['started', 'ended', 'started']);
  });

  it('runs jobs again after every connection was closed', async () => {
    const queues = openTestQueues(backend);
    const run = vi.fn<Run>(() => Promise.resolve());
    startTestWorkers(backend, recordingsHandlers(run));
    await add(queues);
    await expect.poll(() => run).toHaveBeenCalledTimes(1);
    await backend.dropConnections();
    await expect.poll(() => queues.health()).toBe(true);
    await expect.poll(() => add(queues).then(() => run.mock.calls.length)).toBeGreaterThan(1);
  });

  it('repeats sweeps, and schedules them again after their schedules were deleted', async () => {
    const sweep = vi.fn(() => Promise.resolve());
    const sweepCount = Object.keys(sweeps).length;
    startTestWorkers(backend, { upkeep: { concurrency: 6, run: sweep } }, { scheduleCheckIntervalMs: 500 });
    await expect.poll(() => sweep.mock.calls.length, { timeout: 60_000 }).toBeGreaterThan(sweepCount);
    await backend.purge();
    sweep.mockClear();
    // A new schedule runs its sweep at once, so the test does not wait for a period.
    await expect.poll(() => sweep.mock.calls.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(sweepCount);
  });

  it('removes schedules of sweeps that only another release has, and corrects changed periods', async () => {
    const queues = openTestQueues(backend);
    await queues.scheduleSweeps();
    const upkeepQueue = openBullQueue(backend, 'upkeep');
    const periods = async () =>
      Object.fromEntries((await upkeepQueue.getJobSchedulers()).map(({ key, every }) => [key, every]));
    await upkeepQueue.upsertJobScheduler('sweep-of-old-release', { every: 10_000 });
    await upkeepQueue.upsertJobScheduler('due', { every: 3_600_000 });
    expect(await periods()).toEqual({ ...sweeps, 'sweep-of-old-release': 10_000, due: 3_600_000 });
    expect(await queues.hasSchedules()).toBe(false);
    startTestWorkers(backend, { upkeep: { concurrency: 1, run: () => Promise.resolve() } });
    await expect.poll(periods).toEqual(sweeps);
  });

  it('closing a worker aborts running jobs and waits for them; closing it twice does no harm', async () => {
    const queues = openTestQueues(backend);
    const events: string[] = [];
    const started = deferredVoid();
    const workers = startTestWorkers(
      backend,
      recordingsHandlers(async (_, signal) => {
        started.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        events.push('aborted');
        await sleep(100);
        events.push('ended');
      }),
    );
    await add(queues);
    await started.promise;
    await Promise.all([workers.close(), workers.close()]);
    expect(events).toEqual(['aborted', 'ended']);
  });

  it('closing a worker aborts a hanging job, and waits for it only for the grace period', async () => {
    const queues = openTestQueues(backend);
    const events: string[] = [];
    const [started, job, finished] = [deferredVoid(), deferredVoid(), deferredVoid()];
    const workers = startTestWorkers(
      backend,
      recordingsHandlers(async (_, signal) => {
        signal.addEventListener('abort', () => events.push('aborted'));
        started.resolve();
        await job.promise;
        events.push('ended');
        finished.resolve();
      }),
    );
    await add(queues);
    await started.promise;
    const graceMs = 300;
    await workers.close(graceMs);
    events.push('closed');
    job.resolve();
    await finished.promise;
    expect(events).toEqual(['aborted', 'closed', 'ended']);
  });

  it('rejects a job with a key that the contract of its queue does not have', async () => {
    const dataWithExtraKey = { sessionId, extra: 1 } as { sessionId: string };
    await expect(
      openTestQueues(backend).enqueue('recordings', dataWithExtraKey, { jobId: sessionId }),
    ).rejects.toThrow(/extra/);
  });

  it('counts waiting and completed jobs, tells the age of the oldest waiting job, and lists every queue', async () => {
    const queues = openTestQueues(backend);
    await add(queues);
    await sleep(50);
    const waiting = await countsOf(queues, 'recordings');
    expect(waiting).toMatchObject({ waiting: 1, active: 0, delayed: 0, failed: 0 });
    expect(waiting?.oldestMs).toBeGreaterThanOrEqual(50);
    // The lanes of tasks (`tasks` is the lane `local`), and then the other queues; `patterns` publishes test patterns.
    expect((await queues.counts()).map(({ name }) => name)).toEqual([
      'transfers',
      'tasks',
      'encodings',
      'storyboards',
      'renditions',
      'recordings',
      'deliveries',
      'patterns',
      'upkeep',
    ]);
    startTestWorkers(
      backend,
      recordingsHandlers(() => Promise.resolve()),
    );
    const completedCount = (waiting?.completed ?? 0) + 1;
    await expect
      .poll(() => countsOf(queues, 'recordings'))
      .toMatchObject({ waiting: 0, completed: completedCount, oldestMs: 0 });
  });
}

/** Tests that workers are notified of jobs: their own polling would start a job after at least five seconds. */
export function testImmediateStart(backend: Pick<TestBackend, 'settings'>): void {
  it('starts a job in less than the five seconds between polls', async () => {
    const runTimes: number[] = [];
    const queues = openTestQueues(backend);
    startTestWorkers(
      backend,
      recordingsHandlers(() => Promise.resolve(void runTimes.push(performance.now()))),
    );
    // Only the second start is timed: during the first one, the worker may still be connecting.
    for (const count of [1, 2]) {
      const enqueuedAt = performance.now();
      await queues.enqueue('recordings', { sessionId }, { jobId: sessionId });
      await expect.poll(() => runTimes).toHaveLength(count);
      if (count === 2) expect((runTimes[1] ?? 0) - enqueuedAt).toBeLessThan(4_500);
      await expect.poll(async () => (await countsOf(queues, 'recordings'))?.active).toBe(0);
    }
  });
}

function deferredVoid() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
