import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Journal } from '../journal';
import { hasEnded, startChild } from './child';
import { until } from './until';
import {
  readEnvironment,
  isRunning,
  listProcesses,
  findServiceProcesses,
  sendSignal,
  type Process,
  type ServiceProcesses,
} from './processes';

const root = join(import.meta.dirname, '../../..');
const bootstrap = join(root, 'scripts/bootstrap.mjs');

/** Seconds within which the service must be healthy again after a fault. */
const HEALTHY_TIMEOUT_SECONDS = 120;
/** Timeout of the first start, which also builds the service. */
const FIRST_START_TIMEOUT_SECONDS = 600;
/** Shutdown timeout that docs/operations.md documents. */
const STOP_TIMEOUT_SECONDS = 25;

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

  /**
   * Starts the service for the first time and waits until it is healthy.
   * @throws Error if the service ends or is not healthy in time
   */
  async startAndWait(): Promise<void> {
    this.start();
    const child = this.#child;
    const result = await until(
      FIRST_START_TIMEOUT_SECONDS,
      async () => (child && hasEnded(child) ? 'ended' : (await this.isHealthy()) && 'up'),
      500,
    );
    if (result !== 'up')
      throw new Error(`the service did not start; see ${join(this.directory, 'service.log')}`);
  }

  /**
   * Starts the service if it is down, and waits until it is healthy.
   * @returns the milliseconds waited, or null after a timeout, which is reported as a problem
   */
  async ensureHealthy(faultName: string): Promise<number | null> {
    const startedAt = performance.now();
    if (!this.#child || hasEnded(this.#child)) this.start();
    if (!(await until(HEALTHY_TIMEOUT_SECONDS, () => this.isHealthy(), 100))) {
      this.journal.reportProblem(`not healthy within ${HEALTHY_TIMEOUT_SECONDS} s`, faultName);
      return null;
    }
    return performance.now() - startedAt;
  }

  async isHealthy(): Promise<boolean> {
    const response = await fetch(`${this.apiUrl}/api/healthz`, { signal: AbortSignal.timeout(4_000) });
    await response.arrayBuffer();
    return response.ok;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && !hasEnded(this.#child);
  }

  findProcesses(): ServiceProcesses {
    return findServiceProcesses(this.#child?.pid);
  }

  /**
   * Runs a command of `npm run cli`.
   * @returns its standard output
   * @throws Error with `code`, `stdout` and `stderr` if the command fails
   */
  async cli(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [bootstrap, 'cli', ...args], {
      cwd: root,
      env: { ...process.env, ...this.#environment },
      timeout: 120_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.trim();
  }

  readDatabaseUrl(): string {
    const runFile = JSON.parse(readFileSync(join(this.dataDir, 'run.json'), 'utf8')) as {
      environment: { DATABASE_URL: string };
    };
    return runFile.environment.DATABASE_URL;
  }

  /** Finds processes that use this data folder and are not descendants of the supervisor. */
  findStrayProcesses(): Process[] {
    const knownPids = new Set(this.findProcesses().all.map(({ pid }) => pid));
    const setting = `DATA_DIR=${this.dataDir}`;
    return listProcesses().filter(
      ({ pid, args, state }) =>
        !knownPids.has(pid) &&
        pid !== process.pid &&
        state !== 'Z' &&
        (args.some((arg) => arg.includes(`${this.dataDir}/`)) || readEnvironment(pid).includes(setting)),
    );
  }

  /**
   * Stops the service with SIGTERM. Reports a problem if the stop takes too long, fails or leaves a process behind.
   * @returns the milliseconds until the service stopped
   */
  async stop(): Promise<number> {
    const child = this.#child;
    if (!child || hasEnded(child)) return 0;
    const { all } = this.findProcesses();
    const startedAt = performance.now();
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const exitResult = await Promise.race([
      exited,
      until(STOP_TIMEOUT_SECONDS + 15, () => hasEnded(child), 500),
    ]);
    const stoppedAfterMs = performance.now() - startedAt;
    if (!exitResult || stoppedAfterMs > STOP_TIMEOUT_SECONDS * 1_000)
      this.journal.reportProblem(
        `SIGTERM does not stop the service within ${STOP_TIMEOUT_SECONDS} s`,
        'supervisor',
        { ms: stoppedAfterMs },
      );
    else if (child.exitCode !== 0)
      this.journal.reportProblem('the service exits with an error after SIGTERM', 'supervisor', {
        code: child.exitCode,
      });
    const processesLeft = all.filter(isRunning);
    if (processesLeft.length > 0)
      this.journal.reportProblem(
        'processes outlive a stopped service',
        'supervisor',
        processesLeft.map(describeProcess),
      );
    return stoppedAfterMs;
  }

  /** Kills all remaining processes of the service. */
  async killAll(): Promise<void> {
    const remainingProcesses = () => [...this.findProcesses().all, ...this.findStrayProcesses()];
    await until(10, () => {
      for (const process of remainingProcesses()) sendSignal(process, 'SIGKILL');
      return remainingProcesses().length === 0;
    });
  }
}

export const describeProcess = ({ pid, name, state, args }: Process) =>
  `${pid} ${state} ${name}: ${args.join(' ').slice(0, 160)}`;
