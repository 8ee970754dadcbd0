import { reservedCores, usedCores, type TranscodeUse } from '@/lib/core/renditions/transcode-use';
import { exponentialMovingAverage } from '@/lib/core/nodes/capacity';

interface CpuUsage {
  readonly use: TranscodeUse;
  readonly reading: { readonly readAtMs: number; readonly cpuMs: number } | null;
}

/** CPU usage of the ffmpeg of a stream at one moment. */
interface CpuReading {
  /** Monotonic milliseconds. */
  readonly now: number;
  /** CPU time since the start of ffmpeg; null if it cannot be read. */
  readonly cpuMs: number | null;
  /** Whether ffmpeg gets as much CPU time as it needs. */
  readonly keepsUp: boolean;
}

/** No new renditions for this long after one was dropped because the machine was too slow. */
const STRAIN_DURATION_MS = 60_000;

/**
 * CPU budget of this node for transcoding, shared by its streams in the order of their requests. A stream counts with its
 * estimated cost until its usage has been measured for long enough.
 */
export class TranscodeBudget {
  readonly cores: number;
  readonly #usesMeasurements: boolean;
  readonly #usages = new Map<object, CpuUsage>();
  #strain: { readonly owner: object; readonly until: number } | null = null;

  /** @param measures whether measured usage replaces estimates */
  constructor(cores: number, { measures = true }: { readonly measures?: boolean } = {}) {
    this.cores = cores;
    this.#usesMeasurements = measures;
  }

  /**
   * Cores available to `owner`. A single stream may use any number, because its lag shows whether the machine is too slow.
   * @param now monotonic milliseconds
   */
  freeCoresFor(owner: object, now = 0): number {
    if (this.#strain && this.#strain.owner !== owner && now < this.#strain.until) return 0;
    const otherUses = [...this.#usages].filter(([usageOwner]) => usageOwner !== owner);
    if (otherUses.length === 0) return Infinity;
    return this.cores - otherUses.reduce((sum, [, { use }]) => sum + reservedCores(use), 0);
  }

  /** Cores that all streams use. Streams without a measurement count with their estimate. */
  get used(): number {
    return [...this.#usages.values()].reduce((sum, { use }) => sum + usedCores(use), 0);
  }

  /** Sets the cores of `owner`; 0 releases them. */
  reserve(owner: object, cores: number): void {
    const use = { estimatedCores: cores, measuredCores: null, measuredMs: 0, keepsUp: true };
    if (cores > 0) this.#usages.set(owner, { use, reading: null });
    else this.#usages.delete(owner);
  }

  /** Adds a reading of `owner`, about once a second. */
  measure(owner: object, { now, cpuMs, keepsUp }: CpuReading): void {
    const usage = this.#usages.get(owner);
    if (!usage || !this.#usesMeasurements || cpuMs === null) return;
    const { use, reading } = usage;
    const stepMs = reading ? now - reading.readAtMs : 0;
    // The first reading of a process has no previous reading to compare with.
    if (!reading || stepMs <= 0 || cpuMs < reading.cpuMs) {
      this.#usages.set(owner, { use, reading: { readAtMs: now, cpuMs } });
      return;
    }
    const measuredCores = exponentialMovingAverage(
      use.measuredCores,
      (cpuMs - reading.cpuMs) / stepMs,
      stepMs,
    );
    const measuredMs = use.measuredMs + stepMs;
    this.#usages.set(owner, {
      use: { ...use, measuredCores, measuredMs, keepsUp },
      reading: { readAtMs: now, cpuMs },
    });
  }

  /**
   * Records that `owner` dropped a rendition because the machine is too slow: other streams get no new renditions for a
   * while. This applies only if renditions use much of the budget; otherwise other programs keep the machine busy.
   */
  reportStrain(owner: object, now: number): void {
    if (this.#usesMeasurements && this.used >= this.cores / 2)
      this.#strain = { owner, until: now + STRAIN_DURATION_MS };
  }
}
