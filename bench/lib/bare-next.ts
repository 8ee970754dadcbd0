import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from './network';
import type { Scope } from './scope';
import { startProcess, untilHealthy } from './start-process';

const root = join(import.meta.dirname, '../..');
const next = createRequire(import.meta.url).resolve('next/dist/bin/next');

/**
 * Starts another server that responds with the JSON `answer`.
 * @returns the URL of its route
 */
export type StartBareNext = (answer: string) => Promise<string>;

/** Builds a Next app with one route that returns a constant. */
export async function buildBareNext(scope: Scope): Promise<StartBareNext> {
  const env = { NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' };
  // Inside the checkout, to resolve the same version of Next.
  await mkdir(join(root, '.build'), { recursive: true });
  const app = await mkdtemp(join(root, '.build/bare-next-'));
  scope.defer(() => rm(app, { recursive: true, force: true, maxRetries: 5 }));
  await cp(join(import.meta.dirname, '../bare-next'), app, { recursive: true });
  await promisify(execFile)(process.execPath, [next, 'build', app], {
    cwd: app,
    env: { ...process.env, ...env },
    timeout: 120_000,
  });
  return async (answer) => {
    const [port = 0] = await freePorts(1);
    const args = [next, 'start', app, '--port', String(port), '--hostname', '127.0.0.1'];
    const server = startProcess(process.execPath, args, { scope, env: { ...env, ANSWER: answer } });
    const url = `http://127.0.0.1:${port}/api/stream`;
    await untilHealthy(server, url, 20_000);
    return url;
  };
}
