import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';

export interface HotLimits {
  /** Of all segments together. */
  readonly maxBytes: number;
  /** Larger ones are always read from the storage. */
  readonly maxSegmentBytes: number;
  /** Segments that are taken into memory at the same time. */
  readonly loads: number;
}

const usual: HotLimits = { maxBytes: 128 * 2 ** 20, maxSegmentBytes: 16 * 2 ** 20, loads: 4 };
/** A segment that is asked for twice within this time is taken into memory. */
const rememberedMs = 60_000;
const maxRemembered = 10_000;

/** Segments that several viewers watch, in memory, once for all of them. What slow readers keep there is bounded (slow-readers.ts). */
export class HotSegments {
  readonly #limits: HotLimits;
  readonly #segments: LRUCache<string, Buffer>;
  readonly #requestedNames = new LRUCache<string, true>({ max: maxRemembered, ttl: rememberedMs });
  readonly #loading = new SingleFlight<Buffer>();

  constructor(limits: Partial<HotLimits> = {}) {
    this.#limits = { ...usual, ...limits };
    this.#segments = new LRUCache({
      maxSize: this.#limits.maxBytes,
      sizeCalculation: ({ length }) => Math.max(1, length),
    });
  }

  /** @returns null for a segment that is better read from the storage @throws the error of `load` */
  async get(name: string, bytes: number, load: () => Promise<Buffer>): Promise<Buffer | null> {
    const segment = this.#segments.get(name) ?? this.#loading.running(name);
    if (segment) return segment;
    const isFirst = !this.#requestedNames.has(name);
    this.#requestedNames.set(name, true);
    const { maxSegmentBytes, loads } = this.#limits;
    if (isFirst || bytes > maxSegmentBytes || this.#loading.size >= loads) return null;
    const loadedBytes = await this.#loading.run(name, load);
    this.#segments.set(name, loadedBytes);
    return loadedBytes;
  }
}
