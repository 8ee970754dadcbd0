import type { Worker } from 'node:cluster';
import {
  planRestart,
  defaultRestartPolicy,
  initialRestartState,
  readyRestartPolicy,
} from '@/lib/core/renditions/restart-backoff';
import { Liveness, LIVENESS_CHECK_INTERVAL_MS, type Probe, type LivenessLimits } from './liveness';
import { aliveProbe, type AliveAnswer } from './supervisor-channel';

type ChildProcess = Worker['process'];

export interface SupervisedSpec {
  readonly name: string;
  /** Called before every start, for example to clean up after a crash. */
  beforeStart?(): Promise<void>;
  readonly start: () => ChildProcess;
  /** Signal for a graceful shutdown. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  readonly liveness: LivenessLimits & {
    /** Liveness probe; by default over Node's IPC channel (lib/infra/supervisor-channel.ts). */
    readonly probe?: Probe;
    /** Stops a process that does not respond; by default with SIGKILL. */
    readonly stop?: (pid: number) => Promise<void>;
  };
  /** Called at every check after the process has finished starting. */
  onReady?(): void;
}

export interface ProcessSupervisor {
  readonly name: string;
  /** Process id; undefined while the process is down. */
  pid(): number | undefined;
  /** Whether the process runs and has finished starting. */
  isReady(): boolean;
  /** Sends the stop signal, and SIGKILL after `graceMs` if given. The process is not restarted. Idempotent. */
  stop(graceMs?: number): Promise<void>;
  /** Sends SIGKILL. */
  kill(): void;
}

/** Starts a process, and restarts it whenever it exits or does not respond, until it is stopped. */
export function superviseProcess(spec: SupervisedSpec, log: (line: string) => void): ProcessSupervisor {
  return new SupervisedProcess(spec, log);
}

class SupervisedProcess implements ProcessSupervisor {
  readonly name: string;
  readonly #spec: SupervisedSpec;
  readonly #log: (line: string) => void;
  #child: ChildProcess | undefined;
  #isStopping = false;
  #restartTimer: NodeJS.Timeout | undefined;
  #restarts = initialRestartState;
  #liveness: Liveness | undefined;
  /** Settles when the current process has ended. */
  #end: Promise<void>;

  constructor(spec: SupervisedSpec, log: (line: string) => void) {
    this.name = spec.name;
    this.#spec = spec;
    this.#log = log;
    this.#end = this.#start();
  }

  pid(): number | undefined {
    return this.#child?.pid;
  }

  isReady(): boolean {
    return this.#liveness?.ready ?? false;
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async stop(graceMs?: number): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restartTimer);
    this.#child?.kill(this.#spec.stopSignal);
    const timer = graceMs === undefined ? undefined : this.#killAfter(graceMs);
    await this.#end;
    clearTimeout(timer);
  }

  #killAfter(graceMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#log(`${this.name} did not stop within ${graceMs / 1000} s: killed`);
      this.kill();
    }, graceMs);
  }

  async #start(): Promise<void> {
    const startedAt = performance.now();
    const reason = await this.#runOnce().catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    this.#child = undefined;
    if (this.#isStopping) return;
    const policy = this.#liveness?.ready ? readyRestartPolicy : defaultRestartPolicy;
    const { state, delayMs } = planRestart(this.#restarts, performance.now() - startedAt, policy);
    this.#restarts = state;
    const delayText = delayMs ? `in ${delayMs / 1000} s` : 'now';
    this.#log(`${this.name} ended (${reason}); restarting ${delayText}`);
    this.#restartTimer = setTimeout(() => {
      this.#end = this.#start();
    }, delayMs);
  }

  /** @returns the reason why the process ended */
  async #runOnce(): Promise<string> {
    this.#liveness = undefined;
    await this.#spec.beforeStart?.();
    if (this.#isStopping) return 'stopped';
    const child = this.#spec.start();
    this.#child = child;
    const unwatch = this.#watch(child);
    try {
      return await new Promise((resolve) => {
        child.once('error', (error) => resolve(error.message));
        child.once('exit', (code, signal) => resolve(signal ?? `code ${code ?? '?'}`));
      });
    } finally {
      unwatch();
    }
  }

  /**
   * Kills the process if it does not respond.
   * @returns a function that stops the check
   */
  #watch(child: ChildProcess): () => void {
    const { probe, stop, ...limits } = this.#spec.liveness;
    const liveness = new Liveness(probe ?? probeOverIpc(child), limits, performance.now());
    this.#liveness = liveness;
    const timer = setInterval(() => {
      const silentMs = liveness.check(performance.now());
      if (liveness.ready) this.#spec.onReady?.();
      if (silentMs === null || child.pid === undefined) return;
      clearInterval(timer);
      this.#log(`${this.name} has not responded for ${Math.round(silentMs / 1000)} s: stopping it`);
      void (stop?.(child.pid) ?? Promise.resolve()).finally(() => child.kill('SIGKILL'));
    }, LIVENESS_CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }
}

/** Creates a probe that sends one message and waits for its response. A frozen process responds when it resumes. */
function probeOverIpc(child: ChildProcess): Probe {
  return () =>
    new Promise((resolve) => {
      const onMessage = (message: unknown) => {
        if (message === 'starting' || message === 'ready') finish(message);
      };
      const finish = (response: AliveAnswer | null) => {
        child.off('message', onMessage);
        resolve(response);
      };
      child.on('message', onMessage);
      child.send(aliveProbe, (error) => {
        if (error) finish(null);
      });
    });
}
