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

export const log = { warn: () => undefined } as unknown as Logger;
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

export interface Backend {
  settings: { databaseUrl: string; redisUrl: string | undefined };
  /** Closes every connection, as a restart of the server does. */
  interrupt(): Promise<void>;
  /** Empties the queue without notifying its workers. */
  lose(): Promise<void>;
}

export function openTestQueues({ settings }: Pick<Backend, 'settings'>): JobQueues {
  const queues = openQueues(settings, log);
  closers.push(() => queues.close());
  return queues;
}

export function startTestWorkers(
  backend: Pick<Backend, 'settings'>,
  handlers: JobHandlers,
  options = {},
): JobWorkers {
  const workers = startWorkers(backend.settings, openTestQueues(backend), handlers, log, options);
  closers.push(() => workers.close());
  return workers;
}

/** Opens a queue directly with BullMQ, as its tools do. */
export function openBullQueue({ settings }: Pick<Backend, 'settings'>, name: QueueName) {
  const { redisUrl } = settings;
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
/** Creates the handler of the queue `recordings`, which the tests use. */
export const recordings = (run: Run, options: Partial<JobHandler<'recordings'>> = {}) => ({
  recordings: { concurrency: 4, run, ...options },
});

export const countsOf = async (queues: JobQueues, queueName: string) =>
  (await queues.counts()).find(({ name }) => name === queueName);

/** Shared tests of the queue, on PostgreSQL and on Redis. */
export function testQueueBehaviour(backend: Backend): void {
  beforeEach(async () => {
    // A first query creates the tables.
    await openTestQueues(backend).health();
    await backend.lose();
  });
  const add = (queues: JobQueues, options = {}) =>
    queues.enqueue('recordings', { sessionId }, { jobId: sessionId, ...options });

  it('runs a job that was added before the worker was started', async () => {
    await add(openTestQueues(backend));
    const run = vi.fn<Run>(() => Promise.resolve());
    startTestWorkers(backend, recordings(run));
    await expect.poll(() => run).toHaveBeenCalledTimes(1);
    expect(run.mock.lastCall?.[0]).toEqual({ sessionId });
  });

  it('does not start a delayed job before its time', async () => {
    const runTimes: number[] = [];
    const queues = openTestQueues(backend);
    startTestWorkers(
      backend,
      recordings(() => Promise.resolve(void runTimes.push(performance.now()))),
    );
    await add(queues);
    await expect.poll(() => runTimes).toHaveLength(1);
    await expect.poll(async () => (await countsOf(queues, 'recordings'))?.active).toBe(0);
    const addedAt = performance.now();
    await add(queues, { delayMs: 700 });
    await expect.poll(() => runTimes).toHaveLength(2);
    expect((runTimes[1] ?? 0) - addedAt).toBeGreaterThanOrEqual(690);
  });

  it('counts completed jobs from the first minute on', async () => {
    const queues = openTestQueues(backend);
    startTestWorkers(
      backend,
      recordings(() => Promise.resolve()),
    );
    for (let completedCount = 1; completedCount <= 3; completedCount += 1) {
      await add(queues);
      await expect
        .poll(() => countsOf(queues, 'recordings'))
        .toMatchObject({ completed: completedCount, active: 0 });
    }
  });

  it('keeps one waiting job per id', async () => {
    const queues = openTestQueues(backend);
    for (let i = 0; i < 5; i += 1) await add(queues, { delayMs: 60_000 });
    expect(await countsOf(queues, 'recordings')).toMatchObject({ delayed: 1, waiting: 0 });
  });

  it('replaces a delayed job by one with another time, earlier or later', async () => {
    const queues = openTestQueues(backend);
    const run = vi.fn<Run>(() => Promise.resolve());
    startTestWorkers(backend, recordings(run));
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
    startTestWorkers(backend, recordings(run, { concurrency: 1 }));
    await expect.poll(() => order).toHaveLength(3);
    expect(order).toEqual([ids[1], ids[2], ids[0]].map((job) => job?.sessionId));
  });

  it('retries a failed job, but not a permanently failed one', async () => {
    const queues = openTestQueues(backend);
    const run = vi.fn<Run>(() => Promise.resolve());
    run.mockRejectedValueOnce(new Error('not now')).mockRejectedValueOnce(new PermanentFailure('never'));
    startTestWorkers(backend, recordings(run));
    await add(queues);
    await expect.poll(() => run).toHaveBeenCalledTimes(2);
    await expect
      .poll(() => countsOf(queues, 'recordings'))
      .toMatchObject({ active: 0, delayed: 0, waiting: 0 });
  });

  it('adds the next job of the same id when one has ended', async () => {
    const queues = openTestQueues(backend);
    const run = vi.fn<Run>(() => Promise.resolve());
    const afterwards = () => (run.mock.calls.length < 3 ? add(queues) : Promise.resolve());
    startTestWorkers(backend, recordings(run, { afterwards }));
    await add(queues);
    await expect.poll(() => run).toHaveBeenCalledTimes(3);
  });

  it('adds the next job after a run whose job the queue has lost', async () => {
    const queues = openTestQueues(backend);
    const started = deferredVoid();
    const gate = deferredVoid();
    const afterwards = vi.fn(() => Promise.resolve());
    const run: Run = () => {
      started.resolve();
      return gate.promise;
    };
    startTestWorkers(backend, recordings(run, { afterwards }));
    await add(queues);
    await started.promise;
    await backend.lose();
    gate.resolve();
    await expect.poll(() => afterwards).toHaveBeenCalled();
  });

  it('ends a run whose job was lost before another one of its id starts', async () => {
    const queues = openTestQueues(backend);
    const events: string[] = [];
    const run: Run = async (_, signal) => {
      const isFirst = events.push('begun') === 1;
      if (!isFirst) return;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await sleep(100);
      events.push('ended');
    };
    const afterwards = () => (events.at(-1) === 'begun' ? Promise.resolve() : add(queues));
    startTestWorkers(backend, recordings(run, { afterwards }));
    await add(queues);
    await expect.poll(() => events).toEqual(['begun']);
    await backend.lose();
    await add(queues);
    await expect.poll(() => events).toEqual(['begun', 'ended', 'begun']);
  });

  it('continues after every connection was closed', async () => {
    const queues = openTestQueues(backend);
    const run = vi.fn<Run>(() => Promise.resolve());
    startTestWorkers(backend, recordings(run));
    await add(queues);
    await expect.poll(() => run).toHaveBeenCalledTimes(1);
    await backend.interrupt();
    await expect.poll(() => queues.health()).toBe(true);
    await expect.poll(() => add(queues).then(() => run.mock.calls.length)).toBeGreaterThan(1);
  });

  it('repeats sweeps, and schedules them again when the queue was emptied', async () => {
    const sweep = vi.fn(() => Promise.resolve());
    const count = Object.keys(sweeps).length;
    startTestWorkers(backend, { upkeep: { concurrency: 6, run: sweep } }, { renewMs: 500 });
    await expect.poll(() => sweep.mock.calls.length, { timeout: 60_000 }).toBeGreaterThan(count);
    await backend.lose();
    sweep.mockClear();
    // Each sweep runs once at the start, so the test does not wait for a period.
    await expect.poll(() => sweep.mock.calls.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  });

  it('removes the schedules of another version, and corrects a period', async () => {
    const queues = openTestQueues(backend);
    await queues.scheduleSweeps();
    const upkeepQueue = openBullQueue(backend, 'upkeep');
    const periods = async () =>
      Object.fromEntries((await upkeepQueue.getJobSchedulers()).map(({ key, every }) => [key, every]));
    await upkeepQueue.upsertJobScheduler('nodes', { every: 10_000 });
    await upkeepQueue.upsertJobScheduler('due', { every: 3_600_000 });
    expect(await periods()).toEqual({ ...sweeps, nodes: 10_000, due: 3_600_000 });
    expect(await queues.hasSchedules()).toBe(false);
    startTestWorkers(backend, { upkeep: { concurrency: 1, run: () => Promise.resolve() } });
    await expect.poll(periods).toEqual(sweeps);
  });

  it('aborts running jobs when it is closed, waits for them, and can be closed twice', async () => {
    const queues = openTestQueues(backend);
    const events: string[] = [];
    const started = deferredVoid();
    const workers = startTestWorkers(
      backend,
      recordings(async (_, signal) => {
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

  it('aborts a hanging job, and closes without waiting for its end', async () => {
    const queues = openTestQueues(backend);
    const events: string[] = [];
    const [started, job, finished] = [deferredVoid(), deferredVoid(), deferredVoid()];
    const workers = startTestWorkers(
      backend,
      recordings(async (_, signal) => {
        signal.addEventListener('abort', () => events.push('aborted'));
        started.resolve();
        await job.promise;
        events.push('ended');
        finished.resolve();
      }),
    );
    await add(queues);
    await started.promise;
    await workers.close(300);
    events.push('closed');
    job.resolve();
    await finished.promise;
    expect(events).toEqual(['aborted', 'closed', 'ended']);
  });

  it('rejects data that the contract does not allow', async () => {
    const unknown = { sessionId, extra: 1 } as { sessionId: string };
    await expect(
      openTestQueues(backend).enqueue('recordings', unknown, { jobId: sessionId }),
    ).rejects.toThrow(/extra/);
  });

  it('counts waiting jobs, their age, and completed jobs', async () => {
    const queues = openTestQueues(backend);
    await add(queues);
    await sleep(50);
    const waiting = await countsOf(queues, 'recordings');
    expect(waiting).toMatchObject({ waiting: 1, active: 0, delayed: 0, failed: 0 });
    expect(waiting?.oldestMs).toBeGreaterThanOrEqual(50);
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
      recordings(() => Promise.resolve()),
    );
    const completedCount = (waiting?.completed ?? 0) + 1;
    await expect
      .poll(() => countsOf(queues, 'recordings'))
      .toMatchObject({ waiting: 0, completed: completedCount, oldestMs: 0 });
  });
}

/** Workers are notified of jobs, because their own polling takes at least five seconds. */
export function testImmediateStart(backend: Pick<Backend, 'settings'>): void {
  it('starts a job soon after it was added', async () => {
    const runTimes: number[] = [];
    const queues = openTestQueues(backend);
    startTestWorkers(
      backend,
      recordings(() => Promise.resolve(void runTimes.push(performance.now()))),
    );
    for (const count of [1, 2]) {
      const startedAt = performance.now();
      await queues.enqueue('recordings', { sessionId }, { jobId: sessionId });
      await expect.poll(() => runTimes).toHaveLength(count);
      if (count === 2) expect((runTimes[1] ?? 0) - startedAt).toBeLessThan(4_500);
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
