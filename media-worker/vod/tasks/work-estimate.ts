import type { Clock } from '@/lib/infra/clock';
import type { TaskProgress } from '@/lib/domain/tasks';

/** Fraction of a task that a run must have done before it estimates the end: the rate is not known earlier. */
const MIN_FRACTION = 0.03;

/** Progress of a task during one run of it, and the estimated end of the run. */
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

  /** @param progress progress of the whole task, 0 to 1; lower values than before are ignored */
  setProgress(progress: number): void {
    // A run reports 1 only when the result was checked and stored.
    this.#progress = Math.max(this.#progress, Math.min(0.99, progress));
  }

  report(): TaskProgress {
    const fractionDone = this.#progress - this.#startProgress;
    if (fractionDone < MIN_FRACTION) return { progress: this.#progress, expectedAt: null };
    const elapsedMs = this.#clock.monotonic() - this.#startedAt;
    const msLeft = (elapsedMs / fractionDone) * (1 - this.#progress);
    return { progress: this.#progress, expectedAt: new Date(this.#clock.now().getTime() + msLeft) };
  }
}
