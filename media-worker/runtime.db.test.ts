import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Logger } from '@/lib/infra/logger';
import { openQueue, type JobQueue } from '@/lib/infra/queue';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { startJobWorkers, type JobWorkers } from './runtime';

const databaseUrl = await testDatabase();
const log = { warn: () => undefined } as unknown as Logger;
const never = 3_600_000;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

interface Backend {
  settings: { databaseUrl: string; redisUrl: string | undefined };
  /** Cuts every connection, as a restart of the server does. */
  interrupt(): Promise<void>;
  /** Empties the queue behind everybody's back. */
  lose(): Promise<void>;
}

function queueOf({ settings }: Backend): JobQueue {
  const queue = openQueue(settings, log);
  closers.push(() => queue.close());
  return queue;
}

function workersOf({ settings }: Backend, sweep: () => Promise<void>, options = {}): JobWorkers {
  const workers = startJobWorkers(settings, { sweep }, log, { sweepMs: never, ...options });
  closers.push(() => workers.close());
  return workers;
}

function behavesAsQueue(backend: Backend): void {
  beforeEach(async () => {
    // Only now are there tables that could be emptied.
    await queueOf(backend).health();
    await backend.lose();
  });

  it('runs a job that was added before the worker was there', async () => {
    await queueOf(backend).enqueue('sweep', {}, { jobId: 'early' });
    const sweep = vi.fn(() => Promise.resolve());
    workersOf(backend, sweep);
    await expect.poll(() => sweep.mock.calls.length).toBeGreaterThanOrEqual(2);
    expect(sweep).toHaveBeenCalledWith({});
  });

  it('starts a job soon after it was added, a delayed one not before its time', async () => {
    const at: number[] = [];
    workersOf(backend, () => Promise.resolve(void at.push(performance.now())));
    await expect.poll(() => at).toHaveLength(1);
    const queue = queueOf(backend);
    await queue.health();
    const begun = performance.now();
    await queue.enqueue('sweep', {});
    await expect.poll(() => at).toHaveLength(2);
    // Told, not looked for: a worker that waits looks by itself each five seconds.
    expect((at[1] ?? 0) - begun).toBeLessThan(3_000);
    const asked = performance.now();
    await queue.enqueue('sweep', {}, { delayMs: 700 });
    await expect.poll(() => at).toHaveLength(3);
    expect((at[2] ?? 0) - asked).toBeGreaterThanOrEqual(690);
  });

  it('keeps one waiting job of an id', async () => {
    const queue = queueOf(backend);
    for (let i = 0; i < 5; i += 1) await queue.enqueue('sweep', {}, { delayMs: 300, jobId: 'the-one' });
    const sweep = vi.fn(() => Promise.resolve());
    workersOf(backend, sweep);
    await sleep(1_500);
    // The job itself and the first turn of the schedule.
    expect(sweep.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('tries a failed job again', async () => {
    const sweep = vi.fn(() => Promise.resolve());
    sweep.mockRejectedValueOnce(new Error('not now'));
    workersOf(backend, sweep);
    await expect.poll(() => sweep).toHaveBeenCalledTimes(2);
  });

  it('repeats the sweep', async () => {
    const sweep = vi.fn(() => Promise.resolve());
    workersOf(backend, sweep, { sweepMs: 200 });
    await expect.poll(() => sweep.mock.calls.length).toBeGreaterThan(4);
  });

  it('goes on after every connection was cut', async () => {
    const sweep = vi.fn(() => Promise.resolve());
    workersOf(backend, sweep, { sweepMs: 200 });
    await expect.poll(() => sweep).toHaveBeenCalled();
    const queue = queueOf(backend);
    expect(await queue.health()).toBe(true);
    await backend.interrupt();
    await expect.poll(() => queue.health()).toBe(true);
    sweep.mockClear();
    await expect.poll(() => sweep.mock.calls.length).toBeGreaterThan(2);
  });

  it('schedules the sweep again when the queue lost everything', async () => {
    const sweep = vi.fn(() => Promise.resolve());
    workersOf(backend, sweep, { sweepMs: 200, renewMs: 500 });
    await expect.poll(() => sweep).toHaveBeenCalled();
    await backend.lose();
    sweep.mockClear();
    await expect.poll(() => sweep.mock.calls.length).toBeGreaterThan(2);
  });

  it('lets a running job end when it is closed, and closes twice', async () => {
    let finished = false;
    const started = deferred();
    const workers = workersOf(backend, async () => {
      started.resolve();
      await sleep(400);
      finished = true;
    });
    await started.promise;
    await Promise.all([workers.close(), workers.close()]);
    expect(finished).toBe(true);
  });

  it('does not wait for ever for a job that hangs', async () => {
    const started = deferred();
    const job = deferred();
    const workers = workersOf(backend, () => {
      started.resolve();
      return job.promise;
    });
    await started.promise;
    const begun = performance.now();
    await workers.close(300);
    expect(performance.now() - begun).toBeLessThan(6_000);
    job.resolve();
  });

  it('refuses data that the contract does not know', async () => {
    const unknown = { extra: 1 } as unknown as Record<string, never>;
    await expect(queueOf(backend).enqueue('sweep', unknown)).rejects.toThrow(/extra/);
  });
}

async function sql(text: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

describe('jobs on PostgreSQL', () => {
  behavesAsQueue({
    settings: { databaseUrl, redisUrl: undefined },
    interrupt: () =>
      sql(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      ),
    lose: () => sql('truncate queue.job, queue.scheduler cascade'),
  });

  it('says that a server that is not there is not healthy', async () => {
    const url = 'postgresql://nobody@127.0.0.1:1/none';
    const queue = openQueue({ databaseUrl: url, redisUrl: undefined }, log);
    expect(await queue.health()).toBe(false);
    await expect(queue.enqueue('sweep', {})).rejects.toThrow();
    await queue.close();
  });
});

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

describe.skipIf(!hasRedis)('jobs on Redis', () => {
  let server: ChildProcess | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'headwater-redis-'));
  const backend = { settings: { databaseUrl, redisUrl: '' } };

  const start = async () => {
    const port = new URL(backend.settings.redisUrl).port;
    const options = [
      '--port',
      port,
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--save',
      '',
      '--appendonly',
      'yes',
    ];
    server = spawn('redis-server', options, { stdio: 'ignore' });
    // oxlint-disable-next-line vitest/no-restricted-vi-methods -- also outside a test, where expect.poll does not work
    await vi.waitFor(() => expect(command('ping')).toContain('PONG'), 20_000);
  };
  const end = async () => {
    const gone = new Promise((resolve) => server?.once('exit', resolve));
    server?.kill('SIGTERM');
    await gone;
  };
  const command = (...args: string[]) =>
    spawnSync('redis-cli', ['-u', backend.settings.redisUrl, ...args]).stdout.toString();

  beforeAll(async () => {
    backend.settings.redisUrl = `redis://127.0.0.1:${await freePort()}`;
    await start();
  });
  afterAll(async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  });

  behavesAsQueue({
    settings: backend.settings,
    interrupt: async () => {
      await end();
      await start();
    },
    lose: () => Promise.resolve(void command('flushall')),
  });

  it('gives up on a Redis that is frozen', async () => {
    const queue = queueOf({ ...backend, interrupt: end, lose: end });
    expect(await queue.health()).toBe(true);
    server?.kill('SIGSTOP');
    try {
      const begun = performance.now();
      await expect(queue.enqueue('sweep', {})).rejects.toThrow();
      expect(await queue.health()).toBe(false);
      expect(performance.now() - begun).toBeLessThan(25_000);
    } finally {
      server?.kill('SIGCONT');
    }
    await expect.poll(() => queue.health()).toBe(true);
  });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
