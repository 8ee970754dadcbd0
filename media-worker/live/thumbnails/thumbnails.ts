import type { Clock } from '@/lib/infra/clock';
import type { Logger } from '@/lib/infra/logger';
import type { Renditions } from '@/media-worker/media/packaging/rendition';
import { within } from '@/lib/infra/within';
import { thumbnailSource, type ThumbnailSource } from './make-thumbnails';

export type MakeThumbnails = (sources: readonly ThumbnailSource[]) => Promise<(Buffer | null)[]>;

export interface ThumbnailsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly make: MakeThumbnails;
  readonly limits?: Partial<ThumbnailLimits>;
}

interface ThumbnailLimits {
  /** How often a requested image is refreshed. */
  readonly refreshMs: number;
  /** Ratio of time that making images may take: with many streams, each image is refreshed less often. */
  readonly share: number;
  /** Start time of a process, excluded from the ratio because it is the same for one image and for thirty. */
  readonly startMs: number;
  /** An image is dropped after this time without requests. */
  readonly expiryMs: number;
  /** Delay before a failed image is retried. */
  readonly failedMs: number;
  /** How long the first request waits for its image. */
  readonly timeoutMs: number;
  /** Requests within this time share one process. */
  readonly gatherMs: number;
  readonly maxStreams: number;
}

const defaultLimits: ThumbnailLimits = {
  refreshMs: 5_000,
  share: 0.008,
  startMs: 60,
  expiryMs: 20_000,
  failedMs: 60_000,
  timeoutMs: 4_000,
  gatherMs: 40,
  maxStreams: 32,
};

interface ThumbnailEntry {
  readonly renditions: Renditions;
  askedAt: number;
  image: Buffer | null;
  /** Name of the segment that the image shows. */
  name: string | null;
  madeAt: number;
  failedAt: number;
  /** Whether the image is retried alone, because it failed together with others and one of them is faulty. */
  alone: boolean;
}

/** The latest image of each requested stream. Other streams are not decoded. One process at a time makes all images. */
export class Thumbnails {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #make: MakeThumbnails;
  readonly #limits: ThumbnailLimits;
  readonly #entries = new Map<Renditions, ThumbnailEntry>();
  #refreshAt = 0;
  #running: Promise<void> | null = null;
  #wake: () => void = () => undefined;
  #closed = false;

  constructor({ clock, log, make, limits = {} }: ThumbnailsOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#make = make;
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** The newest image; null if there is none. The first request waits for it. */
  async of(renditions: Renditions): Promise<Buffer | null> {
    if (this.#closed || !thumbnailSource(renditions)) return null;
    const now = this.#clock.monotonic();
    let entry = this.#entries.get(renditions);
    if (!entry) {
      entry = {
        ...{ renditions, askedAt: now, image: null, name: null },
        ...{ madeAt: 0, failedAt: -Infinity, alone: false },
      };
      this.#entries.set(renditions, entry);
    }
    entry.askedAt = now;
    if (entry.image || this.#failed(entry)) return entry.image;
    return this.#firstOf(entry, now);
  }

  /** Resolves when no process is running. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#entries.clear();
    this.#wake();
    await this.#running;
  }

  async #firstOf(entry: ThumbnailEntry, since: number): Promise<Buffer | null> {
    const { timeoutMs } = this.#limits;
    while (!entry.image && !this.#failed(entry) && !this.#closed) {
      if (this.#clock.monotonic() - since >= timeoutMs) return null;
      this.#wake();
      this.#running ??= this.#run().finally(() => (this.#running = null));
      const runEnd = new Promise<void>((resolve) => this.#waiting.add(resolve));
      await within(timeoutMs, runEnd, () => undefined);
    }
    return entry.image;
  }

  /** Requests that wait for the current run. */
  readonly #waiting = new Set<() => void>();

  async #run(): Promise<void> {
    while (this.#entries.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, this.#limits.gatherMs));
      await this.#refresh();
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
      const newcomers = this.#dueEntries(false).length > 0;
      if (!newcomers && !this.#closed) await this.#pause();
    }
  }

  /** Waits for the next refresh, or for a request for another stream. */
  async #pause(): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    await within(Math.max(0, this.#refreshAt - this.#clock.monotonic()), woken, () => undefined);
    this.#wake = () => undefined;
  }

  async #refresh(): Promise<void> {
    const startedAt = this.#clock.monotonic();
    this.#expire(startedAt);
    const refresh = startedAt >= this.#refreshAt;
    const dueEntries = this.#dueEntries(refresh);
    if (dueEntries.length > 0) await this.#makeAll(dueEntries);
    if (!refresh && dueEntries.length === 0) return;
    const took = this.#clock.monotonic() - startedAt;
    const { refreshMs, share, startMs } = this.#limits;
    // The duration of first images counts, too.
    const from = refresh ? startedAt + refreshMs : this.#refreshAt;
    this.#refreshAt = Math.max(from, startedAt + (took - startMs) / share);
  }

  #expire(now: number): void {
    for (const entry of this.#entries.values()) {
      if (now - entry.askedAt > this.#limits.expiryMs) this.#entries.delete(entry.renditions);
    }
  }

  #failed({ failedAt }: ThumbnailEntry): boolean {
    return this.#clock.monotonic() - failedAt < this.#limits.failedMs;
  }

  /**
   * Entries to make: those without an image first, and with `refresh` those with a newer segment, the oldest image first, so that
   * each gets its turn. A failed one runs alone.
   */
  #dueEntries(refresh: boolean): (readonly [ThumbnailEntry, ThumbnailSource])[] {
    const dueEntries = [...this.#entries.values()].flatMap((entry) => {
      if (this.#failed(entry) || (entry.image && !refresh)) return [];
      const source = thumbnailSource(entry.renditions);
      return source && source.name !== entry.name ? [[entry, source] as const] : [];
    });
    const [first] = dueEntries.filter(([{ alone }]) => alone);
    if (first) return [first];
    return dueEntries
      .sort(([a], [b]) => Number(a.image !== null) - Number(b.image !== null) || a.madeAt - b.madeAt)
      .slice(0, this.#limits.maxStreams);
  }

  async #makeAll(dueEntries: readonly (readonly [ThumbnailEntry, ThumbnailSource])[]): Promise<void> {
    const images = await this.#make(dueEntries.map(([, source]) => source)).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'thumbnails not generated');
      return dueEntries.map(() => null);
    });
    for (const [index, [entry, { name }]] of dueEntries.entries()) {
      const image = images[index] ?? null;
      const apart = !image && dueEntries.length > 1;
      entry.alone = apart;
      if (apart) continue;
      entry.name = name;
      entry.image = image;
      entry.madeAt = this.#clock.monotonic();
      if (!image) entry.failedAt = this.#clock.monotonic();
    }
  }
}
