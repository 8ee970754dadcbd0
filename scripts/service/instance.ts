import { readFileSync } from 'node:fs';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorSettings, ServiceRole } from '@/lib/infra/env';
import { tryLock } from '../exclusive.mjs';
import { isPortFree, isUdpPortFree } from './ports';
import { ExpectedError } from './expected-error';

/** Content of DATA_DIR/run.json, by which other commands find the running service. Only its owner can read it. */
export interface RunningService {
  readonly pid: number;
  /** Settings of the service, including the database URL and the secret. */
  readonly environment: Readonly<Record<string, string>>;
}

const serviceName = 'the service';
const LOCK_TIMEOUT_MS = 30_000;

/**
 * Locks the data folder for this process. Waits up to 30 s for a command that uses it.
 * @returns a function that releases the lock
 * @throws ExpectedError if a service uses the folder already
 */
export async function reserveDataDir(
  dataDir: string,
  purpose: 'service' | 'command',
  log: (line: string) => void = () => undefined,
): Promise<() => void> {
  // The umask applies to this process and its children.
  process.umask(0o077);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await makePrivate(dataDir, log);
  const deadlineMs = performance.now() + LOCK_TIMEOUT_MS;
  for (let isWaiting = false; !isWaiting || performance.now() < deadlineMs; isWaiting = true) {
    const lock = tryLock(join(dataDir, 'headwater.lock'), purpose === 'service' ? serviceName : 'a command');
    if ('release' in lock) return lock.release;
    const { pid, purpose: holderPurpose } = lock.holder;
    if (purpose === 'service' && holderPurpose === serviceName) {
      throw new ExpectedError(
        `Headwater is already running with this data folder (process ${pid}, ${dataDir}). ` +
          'Stop it first, or set another DATA_DIR and other ports for a second service.',
      );
    }
    if (!isWaiting) log(`Waiting for ${holderPurpose} that uses ${dataDir} (process ${pid}) …`);
    await sleep(500);
  }
  throw new ExpectedError(`${dataDir} is still in use by another process.`);
}

/**
 * Denies other users access to the folder, because it contains the database, recordings and the secret. Only warns if
 * the folder belongs to another user.
 */
async function makePrivate(dataDir: string, log: (line: string) => void): Promise<void> {
  const { mode, uid } = await stat(dataDir);
  if ((mode & 0o077) === 0) return;
  const previousMode = (mode & 0o777).toString(8);
  if (uid === process.getuid?.()) {
    await chmod(dataDir, 0o700);
    log(`Other users could read ${dataDir} (mode ${previousMode}). Changed its mode to 700.`);
  } else {
    log(
      `WARNING  Other users can read ${dataDir} (mode ${previousMode}). Its owner (user ${uid}) should set mode 700.`,
    );
  }
}

interface PortSetting {
  /** Role whose process listens on the port; null if it is used whatever the roles are. */
  readonly role: ServiceRole | null;
  /** Name of the setting, such as RTMP_PORT. */
  readonly name: string;
  readonly port: number;
  readonly isUdp?: true;
}

/**
 * Checks that this machine can listen on all ports of its roles.
 * @throws ExpectedError naming a setting whose port is in use, or two settings with the same port
 */
export async function checkPorts(settings: OperatorSettings): Promise<void> {
  const { rtmpsPort, srtPort, rtcPort, acme, host } = settings;
  const ports: PortSetting[] = [
    { role: 'web', name: 'PORT', port: settings.port },
    { role: 'origin', name: 'MEDIA_PORT', port: settings.mediaPort },
    { role: 'live', name: 'RTMP_PORT', port: settings.rtmpPort },
  ];
  if (rtmpsPort !== undefined) ports.push({ role: 'live', name: 'RTMPS_PORT', port: rtmpsPort });
  if (srtPort !== undefined) ports.push({ role: 'live', name: 'SRT_PORT', port: srtPort, isUdp: true });
  if (rtcPort !== undefined) ports.push({ role: 'origin', name: 'RTC_PORT', port: rtcPort, isUdp: true });
  if (acme) ports.push({ role: null, name: 'ACME_HTTP_PORT', port: acme.httpPort });
  const ownPorts = ports.filter(({ role }) => role === null || settings.roles.includes(role));
  for (const [index, { name, port, isUdp = false }] of ownPorts.entries()) {
    const duplicate = ownPorts
      .slice(index + 1)
      .find((candidate) => candidate.port === port && (candidate.isUdp ?? false) === isUdp);
    if (duplicate)
      throw new ExpectedError(`${name} and ${duplicate.name} are both ${port}. Use different ports.`);
    // After a crash, processes of the previous run may still be exiting.
    for (let attempt = 0; !(await (isUdp ? isUdpPortFree : isPortFree)(port, host)); attempt += 1) {
      if (attempt === 10) {
        throw new ExpectedError(
          `Port ${port} is in use${port < 1024 ? ', or this user may not listen below 1024' : ''}. ` +
            `Stop the program that uses it, or set ${name} to another port.`,
        );
      }
      await sleep(200);
    }
  }
}

/** Writes run.json. */
export async function writeRunning(dataDir: string, service: RunningService): Promise<void> {
  const file = join(dataDir, 'run.json');
  await writeFile(file, JSON.stringify(service), { mode: 0o600 });
  await chmod(file, 0o600);
}

/** Content of run.json; null if there is none. A crash can leave it behind, so check that the database responds. */
export function readRunning(dataDir: string): RunningService | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as RunningService;
  } catch {
    return null;
  }
}

/** Removes run.json, also if there is none. */
export async function removeRunning(dataDir: string): Promise<void> {
  await rm(join(dataDir, 'run.json'), { force: true });
}
