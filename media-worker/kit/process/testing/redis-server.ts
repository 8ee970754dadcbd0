import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi, expect } from 'vitest';
import { findFreePort } from '@/lib/infra/testing/free-port';

/** Whether redis-server is installed; tests of the queue on Redis are skipped without it. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

export interface RedisServer {
  readonly url: string;
  readonly process: () => ChildProcess | undefined;
  start(): Promise<void>;
  /** Stops the server; its data stays on the disk. */
  stop(): Promise<void>;
  flush(): void;
  remove(): Promise<void>;
}

/** Creates a Redis server on loopback for one test file, without starting it. */
export async function createRedisServer(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-redis-'));
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  const command = (...args: string[]) => spawnSync('redis-cli', ['-u', url, ...args]).stdout.toString();
  let server: ChildProcess | undefined;
  const stop = async () => {
    const whenExited = new Promise((resolve) => server?.once('exit', resolve));
    if (server?.kill('SIGTERM')) await whenExited;
  };
  return {
    url,
    process: () => server,
    async start() {
      const files = ['--dir', folder, '--save', '', '--appendonly', 'yes'];
      server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', ...files], {
        stdio: 'ignore',
      });
      await vi.waitFor(() => expect(command('ping')).toContain('PONG'), 20_000);
    },
    stop,
    flush: () => void command('flushall'),
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
