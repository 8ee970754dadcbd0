/** Progress of a running step. */
export interface Activity {
  readonly name: string;
  /** Time of its last progress, in milliseconds of the monotonic clock. */
  lastProgress(): number;
  /** Text for the terminal: the running tests, and the last lines of output. */
  describe(): string;
}

export const runningActivities = new Set<Activity>();

interface WatchdogOptions {
  readonly limitMs: number;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Called once, with a report, if there was no progress for the limit. */
  readonly onStuck: (report: string) => void;
}

/** Reports that a run is stuck if no step makes progress. Tests have no timeouts, because a busy machine would exceed them. */
export class Watchdog {
  readonly #options: WatchdogOptions;
  #idleSince: number;
  #hasReported = false;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#idleSince = options.now();
  }

  check(activities: Iterable<Activity> = runningActivities): void {
    const { limitMs, now, onStuck } = this.#options;
    const activityList = [...activities];
    // While no step runs, there is nothing to make progress, so this time does not count.
    if (activityList.length === 0) this.#idleSince = now();
    const lastProgressAt = Math.max(
      this.#idleSince,
      ...activityList.map((activity) => activity.lastProgress()),
    );
    if (this.#hasReported || now() - lastProgressAt < limitMs) return;
    this.#hasReported = true;
    onStuck(activityList.map((activity) => `${activity.name}\n${activity.describe()}`).join('\n'));
  }
}
