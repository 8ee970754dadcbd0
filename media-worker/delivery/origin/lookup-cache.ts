import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/infra/clock';
import { within } from '@/lib/infra/within';

export interface LookupCacheOptions {
  /** How long an answer is cached. */
  readonly freshMs?: number;
  /** Lifetime of answers while changes are announced with `invalidate`. */
  readonly undoubtedMs?: () => number;
  /** How long the absence of an object is cached. */
  readonly freshNothingMs?: number;
  /** How long answers are used while the database is away. */
  readonly staleMs?: number;
}

interface Entry<T> {
  readonly value: T | null;
  readonly at: number;
  doubted: boolean;
}

/** How long a viewer waits for a fresh answer if an older one exists. */
const timeoutMs = 250;
/** How long a viewer waits if no older answer exists. */
const maxMs = 3_000;
const defaultStaleMs = 300_000;
const maxEntries = 20_000;

/** Caches lookups by playback id, so that database load does not depend on the number of viewers. */
export class LookupCache<T extends string | object> {
  readonly #readEntry: (id: string) => Promise<T | null>;
  readonly #clock: Clock;
  readonly #options: Required<LookupCacheOptions>;
  readonly #entries = new LRUCache<string, Entry<T>>({ max: maxEntries });
  readonly #running = new SingleFlight<T | null>();

  constructor(
    readEntry: (id: string) => Promise<T | null>,
    clock: Clock,
    {
      freshMs = 1_000,
      freshNothingMs = 500,
      undoubtedMs = () => freshMs,
      staleMs = defaultStaleMs,
    }: LookupCacheOptions = {},
  ) {
    this.#readEntry = readEntry;
    this.#clock = clock;
    this.#options = { freshMs, freshNothingMs, undoubtedMs, staleMs };
  }

  /** The value for an id; null if there is none. Rejects if the database is unavailable and nothing is cached. */
  async find(id: string): Promise<T | null> {
    const entry = this.#entries.get(id);
    const age = entry ? this.#clock.monotonic() - entry.at : Infinity;
    if (entry && age <= this.#freshMs(entry)) return entry.value;
    const reading = this.#ask(id);
    const older = entry?.value ?? null;
    if (older === null || age > this.#options.staleMs) return within(maxMs, reading);
    // The fresh answer if it arrives soon, otherwise the older one. A late failure is ignored.
    return within(timeoutMs, reading).catch(() => older);
  }

  /** Marks an answer as possibly outdated: it is read again, at most once per `freshMs`. */
  doubt(id: string): void {
    const entry = this.#entries.get(id);
    if (entry) entry.doubted = true;
  }

  /** Marks all answers as possibly outdated, because change notifications may have been missed. */
  doubtAll(): void {
    // A read that is already running may return the previous answer.
    this.#running.invalidate();
    for (const entry of this.#entries.values()) entry.doubted = true;
  }

  /** Drops an answer that has changed: it is read again at the next request. */
  invalidate(id: string): void {
    // A read that is already running may return the previous answer.
    this.#running.invalidate(id);
    const entry = this.#entries.get(id);
    const { freshMs, freshNothingMs } = this.#options;
    const olderMs = Math.max(freshMs, freshNothingMs) + 1;
    if (entry) this.#entries.set(id, { ...entry, at: entry.at - olderMs, doubted: true });
  }

  /** Drops all answers with this property. */
  changedWhere(isOne: (value: T) => boolean): void {
    // A first read that is already running may return such an answer.
    this.#running.invalidate();
    // `invalidate` moves an entry to the front, where an iteration over the cache would visit it again.
    const entries = [...this.#entries.entries()];
    for (const [id, { value }] of entries) if (value !== null && isOne(value)) this.invalidate(id);
  }

  #freshMs({ value, doubted }: Entry<T>): number {
    const { freshMs, freshNothingMs, undoubtedMs } = this.#options;
    if (value === null) return freshNothingMs;
    return doubted ? freshMs : Math.max(freshMs, undoubtedMs());
  }

  #ask(id: string): Promise<T | null> {
    return this.#running.run(id, async (counts) => {
      const value = await this.#readEntry(id);
      if (counts()) this.#entries.set(id, { value, at: this.#clock.monotonic(), doubted: false });
      return value;
    });
  }
}
