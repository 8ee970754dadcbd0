import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/infra/clock';
import type { EdgeRequest } from './edge-request';
import { contentFolderOf } from './known-restrictions';

/** Waits from this length on can stall a viewer near the live edge, who has about this much media buffered. */
const LONG_WAIT_MS = 1_000;
/** How long a wait is remembered: players report a stall when it ends, or with their next interval. */
const WAIT_MAX_AGE_MS = 30_000;
const MAX_WAITS = 50_000;

/** Streams, assets and recordings whose viewers waited here for the origin. Only the last seconds are remembered. */
export class OriginWaits {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #waits: LRUCache<string, true>;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    // lru-cache never expires an entry with the time 0.
    const perf = { now: () => clock.monotonic() + 1 };
    this.#waits = new LRUCache({ max: MAX_WAITS, ttl: WAIT_MAX_AGE_MS, ttlResolution: 0, perf });
  }

  /**
   * Runs a request and remembers its content if the request took long. Requests that the origin may block are not
   * measured, because they are meant to wait.
   */
  async measure<T>(request: EdgeRequest, run: () => Promise<T>): Promise<T> {
    const id = waitedContentId(request);
    if (id === null) return run();
    const startedAt = this.#clock.monotonic();
    try {
      return await run();
    } finally {
      if (this.#clock.monotonic() - startedAt >= LONG_WAIT_MS) this.#waits.set(id, true);
    }
  }

  /** @param id playback id, or id of a session */
  hasWaited(id: string): boolean {
    return this.#waits.has(id);
  }
}

/** The playback or session id of a request for content; null for other requests and those that may block. */
function waitedContentId(request: EdgeRequest): string | null {
  if (!('target' in request)) return null;
  if ('heldFor' in request && request.heldFor !== null) return null;
  return contentFolderOf(request.target)?.split('/').at(-1) ?? null;
}
