import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { IngestLimits } from './ingest-limits';

const WINDOW_MS = 60_000;
/** Groups remembered at once; an attacker with more addresses than this is not stopped by counting addresses. */
const GROUPS = 10_000;

interface Guesses {
  /** Digest of a refused key → when it was refused last. Digests, so that no key outlives its connection. */
  readonly refused: Map<string, number>;
  blockedUntil: number;
}

/**
 * Blocks an address group that tries many keys. Different keys are counted, not attempts: an encoder that retries one
 * refused key (a second encoder, a suspended stream) guesses nothing and must not lock its neighbours out.
 */
export class KeyGuessLimiter {
  readonly #limits: Pick<IngestLimits, 'refusedKeys' | 'blockMs'>;
  readonly #now: () => number;
  readonly #groups = new LRUCache<string, Guesses>({ max: GROUPS });

  /** `now`: monotonic milliseconds. */
  constructor(limits: Pick<IngestLimits, 'refusedKeys' | 'blockMs'>, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  isBlocked(group: string): boolean {
    const guesses = this.#groups.get(group);
    return guesses !== undefined && guesses.blockedUntil > this.#now();
  }

  /** Notes a refused key. Returns true when this one starts a block. */
  refused(group: string, key: string): boolean {
    const now = this.#now();
    const guesses = this.#groups.get(group) ?? { refused: new Map<string, number>(), blockedUntil: 0 };
    this.#groups.set(group, guesses);
    for (const [digest, at] of guesses.refused) if (now - at >= WINDOW_MS) guesses.refused.delete(digest);
    guesses.refused.set(createHash('sha256').update(key).digest('base64'), now);
    if (guesses.refused.size <= this.#limits.refusedKeys) return false;
    guesses.refused.clear();
    guesses.blockedUntil = now + this.#limits.blockMs;
    return true;
  }
}
