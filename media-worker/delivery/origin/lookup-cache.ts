import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/infra/clock';
import { within } from '@/lib/infra/within';

export interface LookupCacheOptions {
  /** How long an answer is cached if it may be outdated. */
  readonly maxAgeMs?: number;
  /** How long an answer is cached while changes are announced with `invalidate`. */
  readonly announcedMaxAgeMs?: () => number;
  /** How long the absence of an object is cached. */
  readonly absentMaxAgeMs?: number;
  /** How long answers are used while the database is unavailable. */
  readonly staleMaxAgeMs?: number;
}

interface Entry<T> {
  readonly value: T | null;
  /** Monotonic milliseconds. */
  readonly readAt: number;
  /** Whether the value may be outdated, according to `markStale`. */
  isMarkedStale: boolean;
}

/** How long a viewer waits for a fresh answer if an older one exists. */
const REFRESH_TIMEOUT_MS = 250;
/** How long a viewer waits if no older answer exists. */
const LOOKUP_TIMEOUT_MS = 3_000;
const DEFAULT_STALE_MAX_AGE_MS = 300_000;
const MAX_ENTRIES = 20_000;

/** Caches lookups by playback id, so that database load does not depend on the number of viewers. */
export class LookupCache<T extends string | object> {
  readonly #readEntry: (id: string) => Promise<T | null>;
  readonly #clock: Clock;
  readonly #options: Required<LookupCacheOptions>;
  readonly #entries = new LRUCache<string, Entry<T>>({ max: MAX_ENTRIES });
  readonly #lookups = new SingleFlight<T | null>();

  constructor(
    readEntry: (id: string) => Promise<T | null>,
    clock: Clock,
    {
      maxAgeMs = 1_000,
      absentMaxAgeMs = 500,
      announcedMaxAgeMs = () => maxAgeMs,
      staleMaxAgeMs = DEFAULT_STALE_MAX_AGE_MS,
    }: LookupCacheOptions = {},
  ) {
    this.#readEntry = readEntry;
    this.#clock = clock;
    this.#options = { maxAgeMs, absentMaxAgeMs, announcedMaxAgeMs, staleMaxAgeMs };
  }

  /**
   * The value for an id; null if there is none. Rejects if the database does not answer in time and no value is
   * cached.
   */
  async find(id: string): Promise<T | null> {
    const entry = this.#entries.get(id);
    const ageMs = entry ? this.#clock.monotonic() - entry.readAt : Infinity;
    if (entry && ageMs <= this.#maxAgeMs(entry)) return entry.value;
    const lookup = this.#lookUp(id);
    const olderValue = entry?.value ?? null;
    if (olderValue === null || ageMs > this.#options.staleMaxAgeMs) return within(LOOKUP_TIMEOUT_MS, lookup);
    // The fresh answer if it arrives soon, otherwise the older one. A late failure is ignored.
    return within(REFRESH_TIMEOUT_MS, lookup).catch(() => olderValue);
  }

  /** Marks an answer as possibly outdated: it is read again when it is older than `maxAgeMs`. */
  markStale(id: string): void {
    const entry = this.#entries.get(id);
    if (entry) entry.isMarkedStale = true;
  }

  /** Marks all answers as possibly outdated, because change notifications may have been missed. */
  markAllStale(): void {
    // A read that is already running may return the previous answer.
    this.#lookups.invalidate();
    for (const entry of this.#entries.values()) entry.isMarkedStale = true;
  }

  /**
   * Makes an answer that has changed too old to use, so that it is read again at the next request. While the database is
   * unavailable, it is still used.
   */
  invalidate(id: string): void {
    // A read that is already running may return the previous answer.
    this.#lookups.invalidate(id);
    const entry = this.#entries.get(id);
    const { maxAgeMs, absentMaxAgeMs } = this.#options;
    const addedAgeMs = Math.max(maxAgeMs, absentMaxAgeMs) + 1;
    if (entry) this.#entries.set(id, { ...entry, readAt: entry.readAt - addedAgeMs, isMarkedStale: true });
  }

  /** Invalidates all answers that match. */
  invalidateWhere(matches: (value: T) => boolean): void {
    // A first read that is already running may return such an answer.
    this.#lookups.invalidate();
    // `invalidate` moves an entry to the front, where an iteration over the cache would visit it again.
    const entries = [...this.#entries.entries()];
    for (const [id, { value }] of entries) if (value !== null && matches(value)) this.invalidate(id);
  }

  #maxAgeMs({ value, isMarkedStale }: Entry<T>): number {
    const { maxAgeMs, absentMaxAgeMs, announcedMaxAgeMs } = this.#options;
    if (value === null) return absentMaxAgeMs;
    return isMarkedStale ? maxAgeMs : Math.max(maxAgeMs, announcedMaxAgeMs());
  }

  #lookUp(id: string): Promise<T | null> {
    return this.#lookups.run(id, async (isCurrent) => {
      const value = await this.#readEntry(id);
      if (isCurrent())
        this.#entries.set(id, { value, readAt: this.#clock.monotonic(), isMarkedStale: false });
      return value;
    });
  }
}
