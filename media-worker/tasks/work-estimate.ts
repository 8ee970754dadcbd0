import type { Clock } from '@/lib/infra/clock';
import type { TaskReport } from '@/lib/tasks';

/** Before this share is done, a guess would be worth nothing. */
const leastShare = 0.03;

/** How far one run is, and when it will be done if it goes on like this. */
export class WorkEstimate {
  readonly #clock: Clock;
  readonly #beganAt: number;
  readonly #first: number;
  #progress: number;

  /** @param progress what the runs before this one had reached */
  constructor(clock: Clock, progress: number) {
    this.#clock = clock;
    this.#beganAt = clock.monotonic();
    this.#first = progress;
    this.#progress = progress;
  }

  reached(progress: number): void {
    // Done is only what has been checked and written down.
    this.#progress = Math.max(this.#progress, Math.min(0.99, progress));
  }

  report(): TaskReport {
    const share = this.#progress - this.#first;
    if (share < leastShare) return { progress: this.#progress, expectedAt: null };
    const elapsed = this.#clock.monotonic() - this.#beganAt;
    const left = (elapsed / share) * (1 - this.#progress);
    return { progress: this.#progress, expectedAt: new Date(this.#clock.now().getTime() + left) };
  }
}
