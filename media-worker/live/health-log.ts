import type { Clock } from '@/lib/infra/clock';
import type { HealthRecord } from '@/lib/streams';
import type { StartCompanion } from './companion';
import { HealthWatch, type WatchedSample } from './health-watch';

type Taken = WatchedSample & { readonly at: number; readonly minute: boolean };

/** What waits for a database that is away: a quarter of an hour of fifty streams. */
const mostWaiting = 9_000;
const minuteMs = 60_000;

/** Samples all streams of this process at the same time and writes what it finds in one batch. */
export class HealthLog {
  readonly #clock: Clock;
  readonly #write: (records: readonly HealthRecord[]) => Promise<void>;
  readonly #watches = new Set<HealthWatch>();
  /** The minute in which each session was sampled last. */
  readonly #minutes = new Map<string, number>();
  #waiting: Taken[] = [];

  constructor(clock: Clock, write: (records: readonly HealthRecord[]) => Promise<void>) {
    this.#clock = clock;
    this.#write = write;
  }

  readonly start: StartCompanion = (host) => {
    const watch: HealthWatch = new HealthWatch(host, this.#clock, () => this.#watches.delete(watch));
    this.#watches.add(watch);
    return watch;
  };

  /** One sample of every stream that is published to. Waits for nothing. */
  sample(): void {
    const at = this.#clock.monotonic();
    const seen = new Set<string>();
    for (const watch of this.#watches) {
      const sample = watch.sample();
      if (!sample) continue;
      seen.add(sample.sessionId);
      this.#waiting.push({ ...sample, at, minute: this.#beginsMinute(sample.sessionId, at) });
    }
    for (const sessionId of this.#minutes.keys()) {
      if (!seen.has(sessionId)) this.#minutes.delete(sessionId);
    }
    // The oldest go first: what is shown is the present.
    if (this.#waiting.length > mostWaiting) this.#waiting = this.#waiting.slice(-mostWaiting);
  }

  /** Writes everything sampled so far. Rejects when that failed; nothing is lost then. */
  async flush(): Promise<void> {
    const taken = this.#waiting;
    if (taken.length === 0) return;
    this.#waiting = [];
    const now = this.#clock.monotonic();
    try {
      await this.#write(taken.map(({ at, ...record }) => ({ ...record, ageMs: now - at })));
    } catch (error) {
      this.#waiting = [...taken, ...this.#waiting];
      throw error;
    }
  }

  #beginsMinute(sessionId: string, at: number): boolean {
    const minute = Math.floor(at / minuteMs);
    if (this.#minutes.get(sessionId) === minute) return false;
    this.#minutes.set(sessionId, minute);
    return true;
  }
}
