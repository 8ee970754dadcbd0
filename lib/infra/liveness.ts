import type { AliveAnswer } from './supervisor-channel';

/** Requests the state of a process. Resolves to null without a response; needs no timeout. */
export type Probe = () => Promise<AliveAnswer | null>;

export interface LivenessLimits {
  /** Time without a response, in milliseconds, after which a process that has responded before counts as hung. */
  readonly silenceTimeoutMs: number;
  /** Time limit for the first response, in milliseconds. */
  readonly startTimeoutMs: number;
  /** Minimum interval between probes; by default one per check. */
  readonly probeIntervalMs?: number;
}

export const LIVENESS_CHECK_INTERVAL_MS = 1_000;

/**
 * Measures how long a process has not responded. Time in which this process itself was suspended does not count: one check
 * adds at most two intervals.
 */
export class Liveness {
  readonly #probe: Probe;
  readonly #limits: LivenessLimits;
  #silentMs = 0;
  #answer: AliveAnswer | null = null;
  #isProbing = false;
  #checkedAt: number;
  #probedAt = -Infinity;

  /** @param now monotonic milliseconds */
  constructor(probe: Probe, limits: LivenessLimits, now: number) {
    this.#probe = probe;
    this.#limits = limits;
    this.#checkedAt = now;
  }

  /** Whether the process has finished starting. */
  get ready(): boolean {
    return this.#answer === 'ready';
  }

  /**
   * Checks the process, and probes it again if a probe is due. Must be called every `LIVENESS_CHECK_INTERVAL_MS`.
   * @param now monotonic milliseconds
   * @returns milliseconds without a response if the process counts as hung, otherwise null
   */
  check(now: number): number | null {
    this.#silentMs += Math.min(now - this.#checkedAt, 2 * LIVENESS_CHECK_INTERVAL_MS);
    this.#checkedAt = now;
    const limitMs = this.#answer ? this.#limits.silenceTimeoutMs : this.#limits.startTimeoutMs;
    if (this.#silentMs >= limitMs) return this.#silentMs;
    if (!this.#isProbing && now - this.#probedAt >= (this.#limits.probeIntervalMs ?? 0)) {
      this.#probedAt = now;
      void this.#runProbe();
    }
    return null;
  }

  async #runProbe(): Promise<void> {
    this.#isProbing = true;
    try {
      const answer = await this.#probe();
      if (!answer) return;
      this.#answer = answer;
      this.#silentMs = 0;
    } catch {
      // A failed probe counts as no response.
    } finally {
      this.#isProbing = false;
    }
  }
}
