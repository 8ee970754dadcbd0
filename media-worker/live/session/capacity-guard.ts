import { cpus } from 'node:os';
import {
  updateCapacityState,
  capacityRejection,
  initialCapacityState,
  exponentialMovingAverage,
  estimateStreamRoom,
} from '@/lib/core/nodes/capacity';
import type { PublishRejection } from '@/lib/core/streams/publish-admission';
import type { Clock } from '@/lib/infra/clock';
import type { Settings } from '@/lib/infra/env';
import type { Logger } from '@/lib/infra/logger';
import { CpuMeter, freeMemoryBytes } from '@/lib/infra/machine-load';
import type { TranscodeBudget } from '@/media-worker/live/transcode/transcode-budget';

interface CapacityGuardOptions {
  readonly settings: Pick<Settings, 'capacityGuard' | 'maxStreams' | 'processes'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly budget: TranscodeBudget;
  /** Returns the number of live sessions of this process. */
  readonly countStreams: () => number;
}

/** Interval of the measurements. */
const SAMPLE_INTERVAL_MS = 1_000;

/** Measures the load of this live process, decides whether it takes another stream, and reports how many more fit. */
export class CapacityGuard {
  readonly #options: CapacityGuardOptions;
  /** Maximum number of streams of this process: its part of MAX_STREAMS. */
  readonly #maxProcessStreams: number | null;
  readonly #cpu = new CpuMeter();
  readonly #timer: NodeJS.Timeout;
  #state = initialCapacityState;
  #sampledAtMs: number;
  #processCpuMs = readCpuMs();
  #idleCores: number | null = null;
  #processUsedCores: number | null = null;
  #freeMemoryBytes: number | null = null;

  constructor(options: CapacityGuardOptions) {
    this.#options = options;
    const { maxStreams, processes } = options.settings;
    this.#maxProcessStreams =
      maxStreams === undefined ? null : Math.max(1, Math.ceil(maxStreams / processes.live));
    this.#sampledAtMs = options.clock.monotonic();
    this.#timer = setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS);
  }

  /**
   * The reason why a new stream is rejected; null if it fits.
   * @param streams number of streams that are live here or being admitted
   */
  rejection(streams: number): PublishRejection | null {
    const { overloadReason } = this.#state;
    return capacityRejection({ streams, maxStreams: this.#maxProcessStreams, overloadReason });
  }

  /** The reason why new streams are rejected now; null while they are accepted. */
  get fullReason(): string | null {
    return this.rejection(this.#options.countStreams())?.message ?? null;
  }

  /** Number of additional streams of average cost that this process can take; null before the first measurement. */
  get roomStreams(): number | null {
    const { budget, settings } = this.#options;
    const { used, cores } = budget;
    // The live processes of the machine share the limit, the CPU and the memory equally.
    return estimateStreamRoom({
      streams: this.#options.countStreams(),
      maxStreams: this.#maxProcessStreams,
      overloadReason: this.#state.overloadReason,
      idleCores: this.#idleCores === null ? null : this.#idleCores / settings.processes.live,
      freeMemoryBytes:
        this.#freeMemoryBytes === null ? null : this.#freeMemoryBytes / settings.processes.live,
      usedCores: (this.#processUsedCores ?? 0) + used,
      transcode: { cores, used },
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const { clock, settings, log } = this.#options;
    const now = clock.monotonic();
    const elapsedMs = now - this.#sampledAtMs;
    if (elapsedMs <= 0) return;
    const idleRatio = this.#cpu.idleRatio();
    if (idleRatio !== null)
      this.#idleCores = exponentialMovingAverage(this.#idleCores, idleRatio * cpus().length, elapsedMs);
    const processCpuMs = readCpuMs();
    this.#processUsedCores = exponentialMovingAverage(
      this.#processUsedCores,
      (processCpuMs - this.#processCpuMs) / elapsedMs,
      elapsedMs,
    );
    this.#freeMemoryBytes = freeMemoryBytes();
    this.#sampledAtMs = now;
    this.#processCpuMs = processCpuMs;
    if (!settings.capacityGuard) return;
    const reasonBefore = this.#state.overloadReason;
    // The lag of the timer shows how overloaded the event loop is.
    const sample = { timerLagMs: elapsedMs - SAMPLE_INTERVAL_MS, freeMemoryBytes: this.#freeMemoryBytes };
    this.#state = updateCapacityState(this.#state, sample);
    const { overloadReason, timerLagMs } = this.#state;
    if (overloadReason === reasonBefore) return;
    const logFields = { lateMs: Math.round(timerLagMs), freeMemoryBytes: this.#freeMemoryBytes };
    if (overloadReason)
      log.warn({ ...logFields, overload: overloadReason }, 'overloaded: new streams are rejected');
    else log.info(logFields, 'no longer overloaded: new streams are admitted');
  }
}

/** CPU time of this process since its start, in milliseconds. */
function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
