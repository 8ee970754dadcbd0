import { cpus } from 'node:os';
import {
  updateCapacityState,
  capacityRefusal,
  initialCapacityState,
  smoothAverage,
  estimateStreamRoom,
} from '@/lib/core/nodes/capacity';
import type { Rejection } from '@/lib/core/streams/publish-admission';
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
  readonly streams: () => number;
}

const SAMPLE_INTERVAL_MS = 1_000;

/** Measures the load of this live process, decides whether it takes another stream, and reports how many more fit. */
export class CapacityGuard {
  readonly #options: CapacityGuardOptions;
  readonly #maxStreams: number | null;
  readonly #cpu = new CpuMeter();
  readonly #timer: NodeJS.Timeout;
  #state = initialCapacityState;
  #sampledAt: number;
  #ownCpuMs = readCpuMs();
  #idleCores: number | null = null;
  #ownCores: number | null = null;
  #freeMemoryBytes: number | null = null;

  constructor(options: CapacityGuardOptions) {
    this.#options = options;
    const { maxStreams, processes } = options.settings;
    this.#maxStreams = maxStreams === undefined ? null : Math.max(1, Math.ceil(maxStreams / processes.live));
    this.#sampledAt = options.clock.monotonic();
    this.#timer = setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS);
  }

  /**
   * The reason why a new stream is rejected; null if it fits.
   * @param streams number of streams that are live here or being admitted
   */
  refusal(streams: number): Rejection | null {
    const { overload } = this.#state;
    return capacityRefusal({ streams, maxStreams: this.#maxStreams, overload });
  }

  /** The reason why new streams are rejected now; null while they are accepted. */
  get fullReason(): string | null {
    return this.refusal(this.#options.streams())?.message ?? null;
  }

  /** Number of further average streams that fit; null before the first measurement. */
  get roomStreams(): number | null {
    const { budget, settings } = this.#options;
    const { used, cores } = budget;
    return estimateStreamRoom({
      streams: this.#options.streams(),
      maxStreams: this.#maxStreams,
      overload: this.#state.overload,
      idleCores: this.#idleCores === null ? null : this.#idleCores / settings.processes.live,
      freeMemoryBytes:
        this.#freeMemoryBytes === null ? null : this.#freeMemoryBytes / settings.processes.live,
      usedCores: (this.#ownCores ?? 0) + used,
      transcode: { cores, used },
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const { clock, settings, log } = this.#options;
    const now = clock.monotonic();
    const passedMs = now - this.#sampledAt;
    if (passedMs <= 0) return;
    const idleRatio = this.#cpu.headroomRatio();
    if (idleRatio !== null)
      this.#idleCores = smoothAverage(this.#idleCores, idleRatio * cpus().length, passedMs);
    const ownCpuMs = readCpuMs();
    this.#ownCores = smoothAverage(this.#ownCores, (ownCpuMs - this.#ownCpuMs) / passedMs, passedMs);
    this.#freeMemoryBytes = freeMemoryBytes();
    this.#sampledAt = now;
    this.#ownCpuMs = ownCpuMs;
    if (!settings.capacityGuard) return;
    const overloadBefore = this.#state.overload;
    const sample = { lateMs: passedMs - SAMPLE_INTERVAL_MS, freeMemoryBytes: this.#freeMemoryBytes };
    this.#state = updateCapacityState(this.#state, sample);
    const { overload, lateMs } = this.#state;
    if (overload === overloadBefore) return;
    const figures = { lateMs: Math.round(lateMs), freeMemoryBytes: this.#freeMemoryBytes };
    if (overload) log.warn({ ...figures, overload }, 'overloaded: new streams are refused');
    else log.info(figures, 'no longer overloaded: new streams are admitted');
  }
}

/** Reads the CPU time of this process, ms. */
function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
