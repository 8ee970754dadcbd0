import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOperatorSettings } from '@/lib/infra/env';
import { within } from '@/lib/infra/within';
import { killWithParent } from '../postgres/child';
import { waitUntilHealthy } from '../service/health';
import { readRunning } from '../service/instance';
import { findFreePort } from '../service/ports';
import { startTestIssuer } from '../testing/test-issuer';
import { root } from './step';

export interface TestService {
  /** Settings of the service, such as BASE_URL, RTMP_URL, DATABASE_URL and DATA_DIR. */
  readonly environment: Readonly<Record<string, string>>;
  /** The last lines of its output. */
  log(): string;
  /**
   * Stops the service with SIGTERM.
   * @returns whether it exited in time with code 0
   */
  stop(): Promise<boolean>;
}

/** Settings of the caller's shell that are not passed on to the service. */
export const removedSettings: readonly string[] = [
  'DATABASE_URL',
  'REDIS_URL',
  'BASE_URL',
  'CDN_URL',
  'UPLOAD_URL',
  'RTMP_URL',
  'APP_SECRET',
  'HOST',
  'SIGN_UP',
];

interface TestServiceOptions {
  /** Whether people can also log in at an OpenID Connect provider, which runs in this process. Default: true. */
  readonly issuer?: boolean;
  /** Data folder of the service; by default the subfolder `data` of `folder`. */
  readonly dataDir?: string;
  /** Further environment variables. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Builds and starts the service on free ports.
 * @throws Error if it does not become healthy
 */
export async function startTestService(
  folder: string,
  signal: AbortSignal,
  {
    issuer: withIssuer = true,
    dataDir = join(folder, 'data'),
    settings: furtherSettings = {},
  }: TestServiceOptions = {},
): Promise<TestService> {
  const port = await findFreePort();
  const mediaPort = await findFreePort([port]);
  const rtmpPort = await findFreePort([port, mediaPort]);
  const issuer = withIssuer ? await startTestIssuer(`http://localhost:${port}`) : null;
  const environment = {
    ...process.env,
    ...Object.fromEntries(removedSettings.map((name) => [name, ''])),
    PORT: String(port),
    MEDIA_PORT: String(mediaPort),
    RTMP_PORT: String(rtmpPort),
    // WebRTC uses UDP, so it can have the same port number as RTMP, which uses TCP.
    RTC_PORT: String(rtmpPort),
    DATA_DIR: dataDir,
    // A fixed number, so that tests run alike on every machine.
    LIVE_PROCESSES: '1',
    ORIGIN_PROCESSES: '1',
    WEB_PROCESSES: '1',
    // Tests poll often.
    API_RATE_LIMIT: '100000',
    OPERATOR_EMAILS: 'operator@example.com',
    // Tests receive webhooks and push streams on this machine.
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
    ...issuer?.settings,
    ...furtherSettings,
  };
  const { command, args } = killWithParent({
    command: process.execPath,
    args: [join(root, 'scripts', 'bootstrap.mjs'), 'start'],
  });
  const child = spawn(command, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  });
  const logFile = join(folder, 'service.log');
  const file = createWriteStream(logFile);
  child.stdout.pipe(file);
  child.stderr.pipe(file);
  const whenExited = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
  const log = () => readFileSync(logFile, 'utf8').split('\n').slice(-200).join('\n');
  const stop = async () => {
    child.kill('SIGTERM');
    const code = await within(28_000, whenExited, () => {
      child.kill('SIGKILL');
      return null;
    });
    issuer?.stop();
    return code === 0;
  };

  const settings = readOperatorSettings(environment);
  const serviceExit = new AbortController();
  const waitSignal = AbortSignal.any([signal, serviceExit.signal, AbortSignal.timeout(900_000)]);
  void whenExited.then(() => serviceExit.abort());
  try {
    await waitUntilHealthy(settings, () => undefined, waitSignal);
  } catch {
    await stop();
    throw new Error(`The service did not become healthy:\n${log()}`);
  }
  return { environment: readRunning(settings.dataDir)?.environment ?? {}, log, stop };
}
