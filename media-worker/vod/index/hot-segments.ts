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

const usual: HotLimits = { maxBytes: 64 * 2 ** 20, maxSegmentBytes: 16 * 2 ** 20, loads: 4 };
/** A segment that is asked for twice within this time is taken into memory. */
const rememberedMs = 60_000;
const maxRemembered = 10_000;

/** Segments that several viewers watch, in memory. Readers hold none: one that lags reads from the storage again. */
export class HotSegments {
  readonly #limits: HotLimits;
  readonly #held: LRUCache<string, Buffer>;
  readonly #asked = new LRUCache<string, true>({ max: maxRemembered, ttl: rememberedMs });
  readonly #loading = new SingleFlight<Buffer>();

  constructor(limits: Partial<HotLimits> = {}) {
    this.#limits = { ...usual, ...limits };
    this.#held = new LRUCache({
      maxSize: this.#limits.maxBytes,
      sizeCalculation: ({ length }) => Math.max(1, length),
    });
  }

  /** What is in memory now. */
  peek(name: string): Buffer | null {
    return this.#held.get(name) ?? null;
  }

  /** @returns null for a segment that is better read from the storage @throws the error of `load` */
  async get(name: string, bytes: number, load: () => Promise<Buffer>): Promise<Buffer | null> {
    const held = this.#held.get(name) ?? this.#loading.running(name);
    if (held) return held;
    const isFirst = !this.#asked.has(name);
    this.#asked.set(name, true);
    const { maxSegmentBytes, loads } = this.#limits;
    if (isFirst || bytes > maxSegmentBytes || this.#loading.size >= loads) return null;
    const loaded = await this.#loading.run(name, load);
    this.#held.set(name, loaded);
    return loaded;
  }
}
