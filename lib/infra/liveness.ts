import type { AliveAnswer } from './supervisor-channel';

/** Requests the state of a process. Resolves to null without a response; needs no timeout. */
export type Probe = () => Promise<AliveAnswer | null>;

export interface LivenessLimits {
  /** Time without a response, in milliseconds, after which a process that has responded before counts as hung. */
  readonly silentMs: number;
  /** Time limit for the first response, in milliseconds. */
  readonly startingMs: number;
  /** Minimum interval between probes; by default one per check. */
  readonly everyMs?: number;
}

export const tickMs = 1_000;

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
   * Must be called every `tickMs`.
   * @returns milliseconds without a response if the process counts as hung, otherwise null
   */
  check(now: number): number | null {
    this.#silentMs += Math.min(now - this.#checkedAt, 2 * tickMs);
    this.#checkedAt = now;
    const limit = this.#answer ? this.#limits.silentMs : this.#limits.startingMs;
    if (this.#silentMs >= limit) return this.#silentMs;
    if (!this.#isProbing && now - this.#probedAt >= (this.#limits.everyMs ?? 0)) {
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
