import { readFileSync } from 'node:fs';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorSettings } from '@/lib/infra/env';
import { tryLock } from '../exclusive.mjs';
import { isFree } from './ports';
import { ExpectedError } from './run-to-end';

/** What other commands need to know about the running service: DATA_DIR/run.json, for its owner only. */
export interface RunningService {
  readonly pid: number;
  /** Its settings, database and secret included. */
  readonly environment: Readonly<Record<string, string>>;
}

const serving = 'the service';

/**
 * Reserves the data folder for this process. A command that needs the database for a moment is waited for.
 * @throws ExpectedError when a service runs in it already
 */
export async function reserveDataDir(
  dataDir: string,
  purpose: 'service' | 'command',
  say: (line: string) => void = () => undefined,
): Promise<() => void> {
  // For this process and every one it starts.
  process.umask(0o077);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await closeToOthers(dataDir, say);
  for (let waited = 0; waited < 60; waited += 1) {
    const lock = tryLock(join(dataDir, 'headwater.lock'), purpose === 'service' ? serving : 'a command');
    if ('release' in lock) return lock.release;
    const { pid, purpose: held } = lock.holder;
    if (purpose === 'service' && held === serving) {
      throw new ExpectedError(
        `Headwater is already running with this data folder (process ${pid}, ${dataDir}): ` +
          'stop it first, or set DATA_DIR and the ports for a second one.',
      );
    }
    if (waited === 0) say(`Waiting for ${held} that uses ${dataDir} (process ${pid}) …`);
    await sleep(500);
  }
  throw new ExpectedError(`${dataDir} is still in use by another process.`);
}

/** The folder holds the database, recordings and the secret: other users of the machine have no business in it. */
async function closeToOthers(dataDir: string, say: (line: string) => void): Promise<void> {
  const { mode, uid } = await stat(dataDir);
  if ((mode & 0o077) === 0) return;
  const was = (mode & 0o777).toString(8);
  if (uid === process.getuid?.()) {
    await chmod(dataDir, 0o700);
    say(`Other users could read ${dataDir} (mode ${was}). Changed its mode to 700.`);
  } else {
    say(
      `WARNING  Other users can read ${dataDir} (mode ${was}). Its owner (user ${uid}) should set mode 700.`,
    );
  }
}

/** @throws ExpectedError naming the setting whose port is taken */
export async function checkPorts(settings: OperatorSettings): Promise<void> {
  const ports = { PORT: settings.port, MEDIA_PORT: settings.mediaPort, RTMP_PORT: settings.rtmpPort };
  const names = Object.entries(ports);
  for (const [index, [name, port]] of names.entries()) {
    const same = names.slice(index + 1).find(([, other]) => other === port);
    if (same) throw new ExpectedError(`${name} and ${same[0]} are both ${port}: give each its own port.`);
    // After a crash the processes of the last run may need a moment to be gone.
    for (let tries = 0; !(await isFree(port, settings.host)); tries += 1) {
      if (tries === 10) {
        throw new ExpectedError(
          `Port ${port} is in use. Stop the program that uses it, or set ${name} to another port.`,
        );
      }
      await sleep(200);
    }
  }
}

export async function writeRunning(dataDir: string, running: RunningService): Promise<void> {
  const file = join(dataDir, 'run.json');
  await writeFile(file, JSON.stringify(running), { mode: 0o600 });
  await chmod(file, 0o600);
}

/** What run.json says; null without one. It may be left over from a crash: try the database. */
export function readRunning(dataDir: string): RunningService | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as RunningService;
  } catch {
    return null;
  }
}

export async function removeRunning(dataDir: string): Promise<void> {
  await rm(join(dataDir, 'run.json'), { force: true });
}
