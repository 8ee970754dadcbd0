/** A step of a run. Steps are added while they run. */
export interface Activity {
  readonly name: string;
  /** Time of its last progress, in milliseconds of the monotonic clock. */
  lastProgress(): number;
  /** Text for the terminal: the running tests, and the last lines of output. */
  describe(): string;
}

export const running = new Set<Activity>();

interface WatchdogOptions {
  readonly limitMs: number;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Called once, with a report, if there was no progress for the limit. */
  readonly onStuck: (report: string) => void;
}

/**
 * The only timeout of a run, which ends it if no step makes progress. Tests have no timeouts of their own, because a
 * busy machine would exceed them.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  #idleSince: number;
  #stuckParts = false;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#idleSince = options.now();
  }

  look(activities: Iterable<Activity> = running): void {
    const { limitMs, now, onStuck } = this.#options;
    const activityList = [...activities];
    // No step runs between two steps; earlier progress does not count.
    if (activityList.length === 0) this.#idleSince = now();
    const last = Math.max(this.#idleSince, ...activityList.map((activity) => activity.lastProgress()));
    if (this.#stuckParts || now() - last < limitMs) return;
    this.#stuckParts = true;
    onStuck(activityList.map((activity) => `${activity.name}\n${activity.describe()}`).join('\n'));
  }
}
