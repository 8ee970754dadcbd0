import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SystemContext } from '@/lib/domain/context';
import { similarKeyRejection } from '@/lib/core/streams/publish-admission';
import { networkOfIp } from '@/lib/infra/egress/ip-address';
import { findStreamOfNearKey, recordRejection } from '@/lib/domain/streams';

/** Time for which a lookup counts, and for which a key is not looked up again. */
const WINDOW_MS = 60_000;
/** Maximum number of lookups per minute: for one address group (an IPv4 address or an IPv6 /64), and in total. */
const maxLookups = { group: 6, all: 60 } as const;
const MAX_GROUPS = 1_000;
const MAX_RECENT_KEYS = 1_000;

interface Attempt {
  readonly streamKey: string;
  readonly address: string;
}

/** Notifies the owner of a stream about an encoder whose key has a typing error. The encoder gets no hint. */
export class NearKeys {
  readonly #ctx: SystemContext;
  readonly #recentKeys: LRUCache<string, true>;
  readonly #groups: LRUCache<string, { count: number }>;
  /** Lookups of all groups in the current minute, which began at `sinceMs` (monotonic). */
  #total = { count: 0, sinceMs: -Infinity };

  constructor(ctx: SystemContext) {
    this.#ctx = ctx;
    const lruClock = { now: () => ctx.clock.monotonic() };
    this.#recentKeys = new LRUCache({
      max: MAX_RECENT_KEYS,
      ttl: WINDOW_MS,
      ttlResolution: 0,
      perf: lruClock,
    });
    this.#groups = new LRUCache({ max: MAX_GROUPS, ttl: WINDOW_MS, ttlResolution: 0, perf: lruClock });
  }

  /**
   * Decides whether to look up an unknown key, and counts the lookup. A recent key is not looked up again, because
   * an encoder retries the same key every few seconds.
   */
  startLookup({ streamKey, address }: Attempt): boolean {
    // A digest is stored, so that no key outlives its connection.
    const digest = createHash('sha256').update(streamKey).digest('base64');
    if (this.#recentKeys.has(digest)) return false;
    const monotonicMs = this.#ctx.clock.monotonic();
    if (monotonicMs - this.#total.sinceMs >= WINDOW_MS) this.#total = { count: 0, sinceMs: monotonicMs };
    const network = networkOfIp(address);
    const group = this.#groups.get(network) ?? { count: 0 };
    if (group.count >= maxLookups.group || this.#total.count >= maxLookups.all) return false;
    group.count += 1;
    this.#total.count += 1;
    // The minute of a group starts with its first key.
    if (group.count === 1) this.#groups.set(network, group);
    this.#recentKeys.set(digest, true);
    return true;
  }

  /** Looks up the key and notifies the owner of the stream. Called after the encoder has its response. */
  async notifyOwner({ streamKey, address }: Attempt): Promise<void> {
    const streamId = await findStreamOfNearKey(this.#ctx, streamKey);
    if (streamId !== null) await recordRejection(this.#ctx, { streamId, address, ...similarKeyRejection });
  }
}
