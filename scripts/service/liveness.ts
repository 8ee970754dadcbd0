import type { AliveAnswer } from '@/lib/infra/supervisor-channel';

/** Asks a process whether it works. Resolves to null when it did not answer; may take as long as it likes. */
export type AskAlive = () => Promise<AliveAnswer | null>;

export interface LivenessLimits {
  /** A process that has answered before counts as hung after this much silence. */
  readonly silentMs: number;
  /** The same before its first answer, while it loads. */
  readonly startingMs: number;
  /** From one question to the next; every look without it. */
  readonly everyMs?: number;
}

export const tickMs = 1_000;

/**
 * How long a process has been silent, counted in time in which this process was running itself: after a sleep of the
 * machine, or when it was stopped or starved, one look counts as two at the most.
 */
export class Liveness {
  readonly #ask: AskAlive;
  readonly #limits: LivenessLimits;
  #silentMs = 0;
  #answer: AliveAnswer | null = null;
  #asking = false;
  #lookedAt: number;
  #askedAt = -Infinity;

  /** @param now monotonic milliseconds */
  constructor(ask: AskAlive, limits: LivenessLimits, now: number) {
    this.#ask = ask;
    this.#limits = limits;
    this.#lookedAt = now;
  }

  /** Whether it has finished starting. */
  get ready(): boolean {
    return this.#answer === 'ready';
  }

  /** Called every `tickMs`. @returns for how long it has been silent, when that is too long; otherwise null */
  look(now: number): number | null {
    this.#silentMs += Math.min(now - this.#lookedAt, 2 * tickMs);
    this.#lookedAt = now;
    const limit = this.#answer ? this.#limits.silentMs : this.#limits.startingMs;
    if (this.#silentMs >= limit) return this.#silentMs;
    if (!this.#asking && now - this.#askedAt >= (this.#limits.everyMs ?? 0)) {
      this.#askedAt = now;
      void this.#question();
    }
    return null;
  }

  async #question(): Promise<void> {
    this.#asking = true;
    try {
      const answer = await this.#ask();
      if (!answer) return;
      this.#answer = answer;
      this.#silentMs = 0;
    } catch {
      // No answer.
    } finally {
      this.#asking = false;
    }
  }
}
