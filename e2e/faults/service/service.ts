import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Journal } from '../journal';
import { hasEnded, startChild, until } from './child';
import {
  environmentOf,
  isRunning,
  listProcesses,
  serviceProcesses,
  signal,
  type Process,
  type ServiceProcesses,
} from './processes';

const root = join(import.meta.dirname, '../../..');
const bootstrap = join(root, 'scripts/bootstrap.mjs');

/** Seconds within which the service must be healthy again after a fault. */
const healthyWithinSeconds = 120;
/** The first start also builds. */
const firstStartSeconds = 600;
/** Shutdown limit documented in docs/operations.md. */
const stopSeconds = 25;

export interface ServicePorts {
  readonly port: number;
  readonly mediaPort: number;
  readonly rtmpPort: number;
}

/** The complete service with its own data folder. */
export class Service {
  readonly apiUrl: string;
  readonly mediaUrl: string;
  readonly rtmpUrl: string;
  readonly dataDir: string;
  /** TMPDIR of the service, to find temporary files that it leaves behind. */
  readonly temporaryDir: string;
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;

  constructor(
    private readonly journal: Journal,
    readonly directory: string,
    ports: ServicePorts,
    settings: Readonly<Record<string, string>>,
  ) {
    this.apiUrl = `http://127.0.0.1:${ports.port}`;
    this.mediaUrl = `http://127.0.0.1:${ports.mediaPort}`;
    this.rtmpUrl = `rtmp://127.0.0.1:${ports.rtmpPort}/live`;
    this.dataDir = join(directory, 'data');
    this.temporaryDir = join(directory, 'tmp');
    mkdirSync(this.temporaryDir, { recursive: true });
    this.#environment = {
      PORT: String(ports.port),
      MEDIA_PORT: String(ports.mediaPort),
      // Each role has a single process, so that a fault affects the whole role.
      LIVE_PROCESSES: '1',
      ORIGIN_PROCESSES: '1',
      WEB_PROCESSES: '1',
      RTMP_PORT: String(ports.rtmpPort),
      HOST: '127.0.0.1',
      BASE_URL: this.apiUrl,
      DATA_DIR: this.dataDir,
      TMPDIR: this.temporaryDir,
      ...settings,
    };
  }

  start(): void {
    this.#child = startChild(process.execPath, [bootstrap, 'start'], {
      logFile: join(this.directory, 'service.log'),
      env: this.#environment,
      cwd: root,
    });
  }

  /** @throws Error if the service does not start */
  async startFirst(): Promise<void> {
    this.start();
    const child = this.#child;
    const up = await until(
      firstStartSeconds,
      async () => (child && hasEnded(child) ? 'ended' : (await this.healthy()) && 'up'),
      500,
    );
    if (up !== 'up') throw new Error(`the service did not start; see ${join(this.directory, 'service.log')}`);
  }

  /** Starts the service if it is down and waits until it is healthy. @returns milliseconds; null after a problem */
  async ensureHealthy(faultName: string): Promise<number | null> {
    const startedAt = performance.now();
    if (!this.#child || hasEnded(this.#child)) this.start();
    if (!(await until(healthyWithinSeconds, () => this.healthy(), 100))) {
      this.journal.problem(`not healthy within ${healthyWithinSeconds} s`, faultName);
      return null;
    }
    return performance.now() - startedAt;
  }

  async healthy(): Promise<boolean> {
    const response = await fetch(`${this.apiUrl}/api/healthz`, { signal: AbortSignal.timeout(4_000) });
    await response.arrayBuffer();
    return response.ok;
  }

  get running(): boolean {
    return this.#child !== undefined && !hasEnded(this.#child);
  }

  processes(): ServiceProcesses {
    return serviceProcesses(this.#child?.pid);
  }

  /** Runs `npm run cli -- …`. @returns standard output. @throws Error with `code`, `stdout` and `stderr` on failure */
  async cli(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [bootstrap, 'cli', ...args], {
      cwd: root,
      env: { ...process.env, ...this.#environment },
      timeout: 120_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.trim();
  }

  databaseUrl(): string {
    const running = JSON.parse(readFileSync(join(this.dataDir, 'run.json'), 'utf8')) as {
      environment: { DATABASE_URL: string };
    };
    return running.environment.DATABASE_URL;
  }

  /** Processes that use this data folder but are not descendants of the supervisor. */
  strays(): Process[] {
    const knownPids = new Set(this.processes().all.map(({ pid }) => pid));
    const setting = `DATA_DIR=${this.dataDir}`;
    return listProcesses().filter(
      ({ pid, args, state }) =>
        !knownPids.has(pid) &&
        pid !== process.pid &&
        state !== 'Z' &&
        (args.some((arg) => arg.includes(`${this.dataDir}/`)) || environmentOf(pid).includes(setting)),
    );
  }

  /** Stops the service with SIGTERM. Reports a problem if it takes too long, fails or leaves a process behind. */
  async stop(): Promise<number> {
    const child = this.#child;
    if (!child || hasEnded(child)) return 0;
    const { all } = this.processes();
    const startedAt = performance.now();
    const closed = once(child, 'exit');
    child.kill('SIGTERM');
    const exitResult = await Promise.race([closed, until(stopSeconds + 15, () => hasEnded(child), 500)]);
    const ms = performance.now() - startedAt;
    if (!exitResult || ms > stopSeconds * 1_000)
      this.journal.problem(`SIGTERM does not stop the service within ${stopSeconds} s`, 'supervisor', { ms });
    else if (child.exitCode !== 0)
      this.journal.problem('the service exits with an error after SIGTERM', 'supervisor', {
        code: child.exitCode,
      });
    const processesLeft = all.filter(isRunning);
    if (processesLeft.length > 0)
      this.journal.problem('processes outlive a stopped service', 'supervisor', processesLeft.map(describe));
    return ms;
  }

  /** Kills all remaining processes of the service. */
  async killAll(): Promise<void> {
    const remainingProcesses = () => [...this.processes().all, ...this.strays()];
    await until(10, () => {
      for (const process of remainingProcesses()) signal(process, 'SIGKILL');
      return remainingProcesses().length === 0;
    });
  }
}

export const describe = ({ pid, name, state, args }: Process) =>
  `${pid} ${state} ${name}: ${args.join(' ').slice(0, 160)}`;
