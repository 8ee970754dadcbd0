import type { Clock } from '@/lib/infra/clock';
import type { TaskReport } from '@/lib/domain/tasks';

/** Fraction of the work of this run below which an estimate would be meaningless. */
const MIN_FRACTION = 0.03;

/** Progress of one run, and its estimated end. */
export class WorkEstimate {
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #startProgress: number;
  #progress: number;

  /** @param progress progress that earlier runs reached, 0 to 1 */
  constructor(clock: Clock, progress: number) {
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    this.#startProgress = progress;
    this.#progress = progress;
  }

  setProgress(progress: number): void {
    // A run reports 1 only when the result was checked and stored.
    this.#progress = Math.max(this.#progress, Math.min(0.99, progress));
  }

  report(): TaskReport {
    const fractionDone = this.#progress - this.#startProgress;
    if (fractionDone < MIN_FRACTION) return { progress: this.#progress, expectedAt: null };
    const elapsedMs = this.#clock.monotonic() - this.#startedAt;
    const msLeft = (elapsedMs / fractionDone) * (1 - this.#progress);
    return { progress: this.#progress, expectedAt: new Date(this.#clock.now().getTime() + msLeft) };
  }
}
