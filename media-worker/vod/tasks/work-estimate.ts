import type { Clock } from '@/lib/infra/clock';
import type { TaskReport } from '@/lib/domain/tasks';

/** Share below which an estimate would be meaningless. */
const minShare = 0.03;

/** Progress of one run, and its estimated end. */
export class WorkEstimate {
  readonly #clock: Clock;
  readonly #beganAt: number;
  readonly #first: number;
  #progress: number;

  /** @param progress share reached by earlier runs */
  constructor(clock: Clock, progress: number) {
    this.#clock = clock;
    this.#beganAt = clock.monotonic();
    this.#first = progress;
    this.#progress = progress;
  }

  setProgress(progress: number): void {
    // A run reports 1 only when the result was checked and stored.
    this.#progress = Math.max(this.#progress, Math.min(0.99, progress));
  }

  report(): TaskReport {
    const share = this.#progress - this.#first;
    if (share < minShare) return { progress: this.#progress, expectedAt: null };
    const elapsedMs = this.#clock.monotonic() - this.#beganAt;
    const msLeft = (elapsedMs / share) * (1 - this.#progress);
    return { progress: this.#progress, expectedAt: new Date(this.#clock.now().getTime() + msLeft) };
  }
}
