import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePorts } from './network';
import type { Scope } from './scope';
import { startProcess, waitUntilHealthy } from './start-process';

const root = join(import.meta.dirname, '../..');
const nextPath = createRequire(import.meta.url).resolve('next/dist/bin/next');

/**
 * Starts a server of the Next app that responds with the given JSON.
 * @returns the URL of its route
 */
export type StartBareNext = (answer: string) => Promise<string>;

/** Builds a Next app with one route that returns a constant. */
export async function buildBareNext(scope: Scope): Promise<StartBareNext> {
  const env = { NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' };
  // The copy is inside the checkout, so that it resolves the same version of Next.
  await mkdir(join(root, '.build'), { recursive: true });
  const appFolder = await mkdtemp(join(root, '.build/bare-next-'));
  scope.defer(() => rm(appFolder, { recursive: true, force: true, maxRetries: 5 }));
  await cp(join(import.meta.dirname, '../bare-next'), appFolder, { recursive: true });
  await promisify(execFile)(process.execPath, [nextPath, 'build', appFolder], {
    cwd: appFolder,
    env: { ...process.env, ...env },
    timeout: 120_000,
  });
  return async (responseJson) => {
    const [port = 0] = await findFreePorts(1);
    const args = [nextPath, 'start', appFolder, '--port', String(port), '--hostname', '127.0.0.1'];
    const server = startProcess(process.execPath, args, { scope, env: { ...env, ANSWER: responseJson } });
    const url = `http://127.0.0.1:${port}/api/stream`;
    await waitUntilHealthy(server, url, 20_000);
    return url;
  };
}
