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
  /** How often a requested image is refreshed … */
  readonly refreshMs: number;
  /** … but all the making takes no more than this share of the time: with many pictures each is made less often … */
  readonly share: number;
  /** … the start of a process, which costs as much for one picture as for thirty, not counted. */
  readonly startMs: number;
  /** An image without requests for this long is dropped. */
  readonly forgetMs: number;
  /** Delay before a failed image is retried. */
  readonly failedMs: number;
  /** How long the first request waits for its image. */
  readonly timeoutMs: number;
  /** Requests within this time share one process. */
  readonly gatherMs: number;
  readonly maxStreams: number;
}

const defaultLimits: ThumbnailLimits = {
  ...{ refreshMs: 5_000, share: 0.008, startMs: 60, forgetMs: 20_000, failedMs: 60_000 },
  ...{ timeoutMs: 4_000, gatherMs: 40, maxStreams: 32 },
};

interface Wanted {
  readonly renditions: Renditions;
  askedAt: number;
  image: Buffer | null;
  /** Of which segment the image is. */
  name: string | null;
  failedAt: number;
  /** Failed beside others: whether it is its own fault shows alone. */
  alone: boolean;
}

/**
 * The latest image of each requested stream; nothing is decoded for the others. One process at a time
 * makes the pictures of all of them.
 */
export class Thumbnails {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #make: MakeThumbnails;
  readonly #limits: ThumbnailLimits;
  readonly #wanted = new Map<Renditions, Wanted>();
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

  /** The newest picture; the first one is waited for. Null when there is none. */
  async of(renditions: Renditions): Promise<Buffer | null> {
    if (this.#closed || !thumbnailSource(renditions)) return null;
    const now = this.#clock.monotonic();
    let wanted = this.#wanted.get(renditions);
    if (!wanted) {
      wanted = { renditions, askedAt: now, image: null, name: null, failedAt: -Infinity, alone: false };
      this.#wanted.set(renditions, wanted);
    }
    wanted.askedAt = now;
    if (wanted.image || this.#failed(wanted)) return wanted.image;
    return this.#firstOf(wanted, now);
  }

  /** Resolves when no process is running. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wanted.clear();
    this.#wake();
    await this.#running;
  }

  async #firstOf(wanted: Wanted, since: number): Promise<Buffer | null> {
    const { timeoutMs } = this.#limits;
    while (!wanted.image && !this.#failed(wanted) && !this.#closed) {
      if (this.#clock.monotonic() - since >= timeoutMs) return null;
      this.#wake();
      this.#running ??= this.#run().finally(() => (this.#running = null));
      const turn = new Promise<void>((resolve) => this.#turns.add(resolve));
      await within(timeoutMs, turn, () => undefined);
    }
    return wanted.image;
  }

  /** Requests that wait for the current run. */
  readonly #turns = new Set<() => void>();

  async #run(): Promise<void> {
    while (this.#wanted.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, this.#limits.gatherMs));
      await this.#turn();
      for (const done of this.#turns) done();
      this.#turns.clear();
      const newcomers = this.#due(false).length > 0;
      if (!newcomers && !this.#closed) await this.#pause();
    }
  }

  /** Until the next refresh, or a request for another stream. */
  async #pause(): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    await within(Math.max(0, this.#refreshAt - this.#clock.monotonic()), woken, () => undefined);
    this.#wake = () => undefined;
  }

  async #turn(): Promise<void> {
    const began = this.#clock.monotonic();
    this.#forget(began);
    const refresh = began >= this.#refreshAt;
    const due = this.#due(refresh);
    if (due.length > 0) await this.#makeAll(due);
    if (!refresh && due.length === 0) return;
    const took = this.#clock.monotonic() - began;
    const { refreshMs, share, startMs } = this.#limits;
    // Include the cost of first images.
    const from = refresh ? began + refreshMs : this.#refreshAt;
    this.#refreshAt = Math.max(from, began + (took - startMs) / share);
  }

  #forget(now: number): void {
    for (const wanted of this.#wanted.values()) {
      if (now - wanted.askedAt > this.#limits.forgetMs) this.#wanted.delete(wanted.renditions);
    }
  }

  #failed({ failedAt }: Wanted): boolean {
    return this.#clock.monotonic() - failedAt < this.#limits.failedMs;
  }

  /** Those without an image first; with `refresh` also those with a newer segment. One that failed runs alone. */
  #due(refresh: boolean): (readonly [Wanted, ThumbnailSource])[] {
    const due = [...this.#wanted.values()].flatMap((wanted) => {
      if (this.#failed(wanted) || (wanted.image && !refresh)) return [];
      const source = thumbnailSource(wanted.renditions);
      return source && source.name !== wanted.name ? [[wanted, source] as const] : [];
    });
    const [first] = due.filter(([{ alone }]) => alone);
    if (first) return [first];
    return due
      .sort(([a], [b]) => Number(a.image !== null) - Number(b.image !== null))
      .slice(0, this.#limits.maxStreams);
  }

  async #makeAll(due: readonly (readonly [Wanted, ThumbnailSource])[]): Promise<void> {
    const images = await this.#make(due.map(([, source]) => source)).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'thumbnails not generated');
      return due.map(() => null);
    });
    for (const [index, [wanted, { name }]] of due.entries()) {
      const image = images[index] ?? null;
      const apart = !image && due.length > 1;
      wanted.alone = apart;
      if (apart) continue;
      wanted.name = name;
      wanted.image = image;
      if (!image) wanted.failedAt = this.#clock.monotonic();
    }
  }
}
