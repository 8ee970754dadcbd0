import { reservedCores, usedCores, type TranscodeUse } from '@/lib/core/renditions/transcode-use';
import { average } from '@/lib/core/nodes/capacity';

interface CpuUsage {
  readonly use: TranscodeUse;
  readonly reading: { readonly at: number; readonly cpuMs: number } | null;
}

/** CPU use of the ffmpeg of a stream. */
interface CpuReading {
  /** Monotonic milliseconds. */
  readonly now: number;
  /** CPU time since it started; null if that cannot be read. */
  readonly cpuMs: number | null;
  /** False if ffmpeg gets less CPU time than it needs. */
  readonly keepsUp: boolean;
}

/** No new renditions for this long after one was dropped because the machine was too slow. */
const strainedMs = 60_000;

/**
 * CPU budget of this node for transcoding, shared by its streams in the order of their requests. A stream counts with its
 * estimated cost until its usage has been measured for long enough.
 */
export class TranscodeBudget {
  readonly cores: number;
  readonly #measures: boolean;
  readonly #usages = new Map<object, CpuUsage>();
  #strain: { readonly owner: object; readonly until: number } | null = null;

  /** @param measures false: only estimates count */
  constructor(cores: number, { measures = true }: { readonly measures?: boolean } = {}) {
    this.cores = cores;
    this.#measures = measures;
  }

  /**
   * Cores available to `owner`. A single stream may use any number, because its lag shows whether the machine is too slow.
   * @param now monotonic milliseconds
   */
  freeFor(owner: object, now = 0): number {
    if (this.#strain && this.#strain.owner !== owner && now < this.#strain.until) return 0;
    const otherUses = [...this.#usages].filter(([taker]) => taker !== owner);
    if (otherUses.length === 0) return Infinity;
    return this.cores - otherUses.reduce((sum, [, { use }]) => sum + reservedCores(use), 0);
  }

  /** Cores in use by all streams, as far as measured. */
  get used(): number {
    return [...this.#usages.values()].reduce((sum, { use }) => sum + usedCores(use), 0);
  }

  /** Sets the cores of `owner`; 0 releases them. */
  take(owner: object, cores: number): void {
    const use = { estimated: cores, measured: null, measuredMs: 0, keepsUp: true };
    if (cores > 0) this.#usages.set(owner, { use, reading: null });
    else this.#usages.delete(owner);
  }

  /** Adds a reading of `owner`, about once a second. */
  measure(owner: object, { now, cpuMs, keepsUp }: CpuReading): void {
    const usage = this.#usages.get(owner);
    if (!usage || !this.#measures || cpuMs === null) return;
    const { use, reading } = usage;
    const stepMs = reading ? now - reading.at : 0;
    // The first reading, or the first one of a new process.
    if (!reading || stepMs <= 0 || cpuMs < reading.cpuMs) {
      this.#usages.set(owner, { use, reading: { at: now, cpuMs } });
      return;
    }
    const measuredCores = average(use.measured, (cpuMs - reading.cpuMs) / stepMs, stepMs);
    const measuredMs = use.measuredMs + stepMs;
    this.#usages.set(owner, {
      use: { ...use, measured: measuredCores, measuredMs, keepsUp },
      reading: { at: now, cpuMs },
    });
  }

  /**
   * Records that `owner` dropped a rendition because the machine is too slow: other streams get no new renditions for a
   * while. This applies only if renditions use much of the budget; otherwise other programs keep the machine busy.
   */
  reportStrain(owner: object, now: number): void {
    if (this.#measures && this.used >= this.cores / 2) this.#strain = { owner, until: now + strainedMs };
  }
}
