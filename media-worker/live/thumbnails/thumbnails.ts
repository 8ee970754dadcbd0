import type { Clock } from '@/lib/infra/clock';
import type { Logger } from '@/lib/infra/logger';
import type { Renditions } from '@/media-worker/media/packaging/rendition';
import { within } from '@/lib/infra/within';
import { findThumbnailSource, type ThumbnailSource } from './make-thumbnails';

export type MakeThumbnails = (sources: readonly ThumbnailSource[]) => Promise<(Buffer | null)[]>;

export interface ThumbnailsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly make: MakeThumbnails;
  readonly limits?: Partial<ThumbnailLimits>;
}

interface ThumbnailLimits {
  /** Interval at which a requested image is refreshed. */
  readonly refreshMs: number;
  /** Fraction of time that making images may take. With many streams, each image is refreshed less often. */
  readonly timeFraction: number;
  /**
   * Start time of ffmpeg, which does not count towards the fraction because it is the same for one image and for
   * thirty.
   */
  readonly startMs: number;
  /** An image is dropped after this time without requests. */
  readonly expiryMs: number;
  /** Delay before a failed image is retried. */
  readonly retryDelayMs: number;
  /** Maximum time for which the first request waits for its image. */
  readonly timeoutMs: number;
  /** Requests within this time share one process. */
  readonly gatherMs: number;
  readonly maxStreams: number;
}

const defaultLimits: ThumbnailLimits = {
  refreshMs: 5_000,
  timeFraction: 0.008,
  startMs: 60,
  expiryMs: 20_000,
  retryDelayMs: 60_000,
  timeoutMs: 4_000,
  gatherMs: 40,
  maxStreams: 32,
};

interface ThumbnailEntry {
  readonly renditions: Renditions;
  requestedAtMs: number;
  image: Buffer | null;
  /** Name of the segment that the image shows. */
  name: string | null;
  madeAtMs: number;
  failedAtMs: number;
  /** Whether the image is made alone, because it failed together with others of which one is faulty. */
  runsAlone: boolean;
}

/**
 * The latest image of each requested stream. Other streams are not decoded. One ffmpeg runs at a time, and makes
 * up to `maxStreams` images.
 */
export class Thumbnails {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #make: MakeThumbnails;
  readonly #limits: ThumbnailLimits;
  readonly #entries = new Map<Renditions, ThumbnailEntry>();
  /** When the images are refreshed next, in monotonic milliseconds. */
  #refreshAtMs = 0;
  #running: Promise<void> | null = null;
  /** Ends the current pause. */
  #wake: () => void = () => undefined;
  #closed = false;

  constructor({ clock, log, make, limits = {} }: ThumbnailsOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#make = make;
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** The newest image; null if there is none. The first request waits for it. */
  async requestImage(renditions: Renditions): Promise<Buffer | null> {
    if (this.#closed || !findThumbnailSource(renditions)) return null;
    const now = this.#clock.monotonic();
    let entry = this.#entries.get(renditions);
    if (!entry) {
      entry = {
        renditions,
        requestedAtMs: now,
        image: null,
        name: null,
        madeAtMs: 0,
        failedAtMs: -Infinity,
        runsAlone: false,
      };
      this.#entries.set(renditions, entry);
    }
    entry.requestedAtMs = now;
    if (entry.image || this.#hasFailed(entry)) return entry.image;
    return this.#waitForFirst(entry, now);
  }

  /** Resolves when no process is running. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#entries.clear();
    this.#wake();
    await this.#running;
  }

  async #waitForFirst(entry: ThumbnailEntry, since: number): Promise<Buffer | null> {
    const { timeoutMs } = this.#limits;
    while (!entry.image && !this.#hasFailed(entry) && !this.#closed) {
      if (this.#clock.monotonic() - since >= timeoutMs) return null;
      this.#wake();
      this.#running ??= this.#run().finally(() => (this.#running = null));
      const runEnd = new Promise<void>((resolve) => this.#waitingRequests.add(resolve));
      await within(timeoutMs, runEnd, () => undefined);
    }
    return entry.image;
  }

  /** Requests that wait for the current run. */
  readonly #waitingRequests = new Set<() => void>();

  async #run(): Promise<void> {
    while (this.#entries.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, this.#limits.gatherMs));
      await this.#refresh();
      for (const resolve of this.#waitingRequests) resolve();
      this.#waitingRequests.clear();
      const hasNewEntries = this.#dueEntries(false).length > 0;
      if (!hasNewEntries && !this.#closed) await this.#pause();
    }
  }

  /** Waits for the next refresh, or for a request for another stream. */
  async #pause(): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    await within(Math.max(0, this.#refreshAtMs - this.#clock.monotonic()), woken, () => undefined);
    this.#wake = () => undefined;
  }

  async #refresh(): Promise<void> {
    const startedAtMs = this.#clock.monotonic();
    this.#expire(startedAtMs);
    const isRefreshDue = startedAtMs >= this.#refreshAtMs;
    const dueEntries = this.#dueEntries(isRefreshDue);
    if (dueEntries.length > 0) await this.#makeAll(dueEntries);
    if (!isRefreshDue && dueEntries.length === 0) return;
    const durationMs = this.#clock.monotonic() - startedAtMs;
    const { refreshMs, timeFraction, startMs } = this.#limits;
    // The time spent on first images also counts towards the fraction.
    const earliestAtMs = isRefreshDue ? startedAtMs + refreshMs : this.#refreshAtMs;
    this.#refreshAtMs = Math.max(earliestAtMs, startedAtMs + (durationMs - startMs) / timeFraction);
  }

  #expire(now: number): void {
    for (const entry of this.#entries.values()) {
      if (now - entry.requestedAtMs > this.#limits.expiryMs) this.#entries.delete(entry.renditions);
    }
  }

  #hasFailed({ failedAtMs }: ThumbnailEntry): boolean {
    return this.#clock.monotonic() - failedAtMs < this.#limits.retryDelayMs;
  }

  /**
   * Entries to make: those without an image first, then with `includesRefreshes` those with a newer segment, the oldest image
   * first. An entry that failed together with others is made alone.
   */
  #dueEntries(includesRefreshes: boolean): (readonly [ThumbnailEntry, ThumbnailSource])[] {
    const dueEntries = [...this.#entries.values()].flatMap((entry) => {
      if (this.#hasFailed(entry) || (entry.image && !includesRefreshes)) return [];
      const source = findThumbnailSource(entry.renditions);
      return source && source.name !== entry.name ? [[entry, source] as const] : [];
    });
    const aloneEntry = dueEntries.find(([{ runsAlone }]) => runsAlone);
    if (aloneEntry) return [aloneEntry];
    return dueEntries
      .sort(([a], [b]) => Number(a.image !== null) - Number(b.image !== null) || a.madeAtMs - b.madeAtMs)
      .slice(0, this.#limits.maxStreams);
  }

  async #makeAll(dueEntries: readonly (readonly [ThumbnailEntry, ThumbnailSource])[]): Promise<void> {
    const images = await this.#make(dueEntries.map(([, source]) => source)).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'thumbnails not generated');
      return dueEntries.map(() => null);
    });
    for (const [index, [entry, { name }]] of dueEntries.entries()) {
      const image = images[index] ?? null;
      const isRetriedAlone = !image && dueEntries.length > 1;
      entry.runsAlone = isRetriedAlone;
      if (isRetriedAlone) continue;
      entry.name = name;
      entry.image = image;
      entry.madeAtMs = this.#clock.monotonic();
      if (!image) entry.failedAtMs = this.#clock.monotonic();
    }
  }
}
