import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/infra/clock';

/** Asks the database; null when nothing is live under this playback id. */
export type LocateLive = (playbackId: string) => Promise<string | null>;

interface Entry {
  readonly url: string | null;
  readonly at: number;
}

const freshMs = 1_000;
const freshNothingMs = 500;
/** How long a viewer waits for a fresh answer while an older one is at hand. */
const patienceMs = 250;
/** While the database is away viewers keep what they have; the live node itself answers 404 when a stream ends. */
const staleMs = 300_000;
const most = 20_000;

/** Which node holds a stream, asked of the database at most once a second a stream, whatever the number of viewers. */
export class NodeFinder {
  readonly #locate: LocateLive;
  readonly #clock: Clock;
  readonly #known = new LRUCache<string, Entry>({ max: most });
  readonly #running = new Map<string, Promise<string | null>>();

  constructor(locate: LocateLive, clock: Clock) {
    this.#locate = locate;
    this.#clock = clock;
  }

  /** Rejects when the database cannot say and nothing is remembered. */
  async find(playbackId: string): Promise<string | null> {
    const known = this.#known.get(playbackId);
    const age = known ? this.#clock.monotonic() - known.at : Infinity;
    if (known && age <= (known.url ? freshMs : freshNothingMs)) return known.url;
    const asked = this.#ask(playbackId);
    if (!known?.url || age > staleMs) return asked;
    return soonEnough(asked, known.url);
  }

  #ask(playbackId: string): Promise<string | null> {
    const running = this.#running.get(playbackId);
    if (running) return running;
    const request = this.#locate(playbackId)
      .then((url) => {
        this.#known.set(playbackId, { url, at: this.#clock.monotonic() });
        return url;
      })
      .finally(() => this.#running.delete(playbackId));
    this.#running.set(playbackId, request);
    return request;
  }
}

/** The fresh answer if it comes soon, otherwise the older one; a late failure concerns nobody. */
async function soonEnough(asked: Promise<string | null>, older: string): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(older), patienceMs);
  });
  try {
    return await Promise.race([asked.catch(() => older), late]);
  } finally {
    clearTimeout(timer);
  }
}
