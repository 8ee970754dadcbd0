import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/infra/clock';
import type { EdgeRequest } from './edge-request';
import { contentOf } from './known-gates';

/** A viewer near the live edge has about this much media ahead. */
const longMs = 1_000;
/** Players report a stall when it ends, or with their next interval. */
const rememberedMs = 30_000;
const maxRemembered = 50_000;

/** Streams, assets and recordings whose viewers waited here for the origin. Only the last seconds are remembered. */
export class OriginWaits {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #waits: LRUCache<string, true>;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    // lru-cache never expires an entry with the time 0.
    const perf = { now: () => clock.monotonic() + 1 };
    this.#waits = new LRUCache({ max: maxRemembered, ttl: rememberedMs, ttlResolution: 0, perf });
  }

  /** Runs a request and remembers a long one. Requests that the origin may block are meant to wait. */
  async measure<T>(request: EdgeRequest, run: () => Promise<T>): Promise<T> {
    const id = waitingFor(request);
    if (id === null) return run();
    const startedAt = this.#clock.monotonic();
    try {
      return await run();
    } finally {
      if (this.#clock.monotonic() - startedAt >= longMs) this.#waits.set(id, true);
    }
  }

  /** @param id playback id, or id of a session */
  hasWaited(id: string): boolean {
    return this.#waits.has(id);
  }
}

function waitingFor(request: EdgeRequest): string | null {
  if (!('target' in request)) return null;
  if ('heldFor' in request && request.heldFor !== null) return null;
  return contentOf(request.target)?.split('/').at(-1) ?? null;
}
