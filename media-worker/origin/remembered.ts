import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/infra/clock';
import { within } from '../process/every';

export interface RememberedOptions {
  /** How long an answer is cached. */
  readonly freshMs?: number;
  /** How long "not found" is cached. */
  readonly freshNothingMs?: number;
}

interface Entry<T> {
  readonly value: T | null;
  readonly at: number;
}

/** How long a viewer waits for a fresh answer while an older one is at hand … */
const timeoutMs = 250;
/** … and while there is none. */
const longestMs = 3_000;
/** While the database is away viewers keep what they have. */
const staleMs = 300_000;
const most = 20_000;

/** What rows say of playback ids, asked of the database seldom, whatever the number of viewers. */
export class Remembered<T extends string | object> {
  readonly #read: (id: string) => Promise<T | null>;
  readonly #clock: Clock;
  readonly #options: Required<RememberedOptions>;
  readonly #known = new LRUCache<string, Entry<T>>({ max: most });
  readonly #running = new Map<string, Promise<T | null>>();

  constructor(
    read: (id: string) => Promise<T | null>,
    clock: Clock,
    { freshMs = 1_000, freshNothingMs = 500 }: RememberedOptions = {},
  ) {
    this.#read = read;
    this.#clock = clock;
    this.#options = { freshMs, freshNothingMs };
  }

  /** Rejects when the database cannot say and nothing is remembered. */
  async find(id: string): Promise<T | null> {
    const known = this.#known.get(id);
    const age = known ? this.#clock.monotonic() - known.at : Infinity;
    const { freshMs, freshNothingMs } = this.#options;
    if (known && age <= (known.value === null ? freshNothingMs : freshMs)) return known.value;
    const asked = this.#ask(id);
    const older = known?.value ?? null;
    if (older === null || age > staleMs) return within(longestMs, asked);
    // The fresh answer if it comes soon, otherwise the older one; a late failure is ignored.
    return within(timeoutMs, asked).catch(() => older);
  }

  #ask(id: string): Promise<T | null> {
    const running = this.#running.get(id);
    if (running) return running;
    const request = this.#read(id)
      .then((value) => {
        this.#known.set(id, { value, at: this.#clock.monotonic() });
        return value;
      })
      .finally(() => this.#running.delete(id));
    this.#running.set(id, request);
    return request;
  }
}
