/** What a run is doing. Steps are added while they run. */
export interface Activity {
  readonly name: string;
  /** When it last showed progress, in milliseconds of the monotonic clock. */
  lastProgress(): number;
  /** For people: the tests that run, and the last lines of output. */
  describe(): string;
}

export const running = new Set<Activity>();

interface WatchdogOptions {
  readonly limitMs: number;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** What is said when nothing changed for so long. Called once. */
  readonly onStuck: (report: string) => void;
}

/**
 * The one time limit of a run: ends it if no step shows progress for long. Tests have no limit of their own, because a
 * busy machine would break it.
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
    // Between two steps nothing runs; what was before does not count.
    if (activityList.length === 0) this.#idleSince = now();
    const last = Math.max(this.#idleSince, ...activityList.map((activity) => activity.lastProgress()));
    if (this.#stuckParts || now() - last < limitMs) return;
    this.#stuckParts = true;
    onStuck(activityList.map((activity) => `${activity.name}\n${activity.describe()}`).join('\n'));
  }
}
