import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';

export interface HotLimits {
  /** Maximum bytes of all segments in memory. */
  readonly maxBytes: number;
  /** Larger segments are always read from the storage. */
  readonly maxSegmentBytes: number;
  /** Maximum number of segments loaded at the same time. */
  readonly maxLoads: number;
}

const defaultLimits: HotLimits = { maxBytes: 128 * 2 ** 20, maxSegmentBytes: 16 * 2 ** 20, maxLoads: 4 };
/** A segment requested twice within this time is loaded into memory. */
const REQUEST_MAX_AGE_MS = 60_000;
/** Maximum number of segments whose last request is remembered. */
const MAX_REQUESTED_NAMES = 10_000;

/**
 * Keeps segments with several viewers in memory, once for all of them.
 */
export class HotSegments {
  readonly #limits: HotLimits;
  readonly #segments: LRUCache<string, Buffer>;
  readonly #requestedNames = new LRUCache<string, true>({
    max: MAX_REQUESTED_NAMES,
    ttl: REQUEST_MAX_AGE_MS,
  });
  readonly #loading = new SingleFlight<Buffer>();

  constructor(limits: Partial<HotLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#segments = new LRUCache({
      maxSize: this.#limits.maxBytes,
      sizeCalculation: ({ length }) => Math.max(1, length),
    });
  }

  /**
   * Returns a segment from memory, and loads it when it is requested again within a minute.
   * @returns null for a segment that should be read from the storage
   * @throws errors of `load`
   */
  async get(name: string, bytes: number, load: () => Promise<Buffer>): Promise<Buffer | null> {
    const segment = this.#segments.get(name) ?? this.#loading.find(name);
    if (segment) return segment;
    const isFirst = !this.#requestedNames.has(name);
    this.#requestedNames.set(name, true);
    const { maxSegmentBytes, maxLoads } = this.#limits;
    if (isFirst || bytes > maxSegmentBytes || this.#loading.size >= maxLoads) return null;
    const loadedBytes = await this.#loading.run(name, load);
    this.#segments.set(name, loadedBytes);
    return loadedBytes;
  }
}
