import type { AssetViews, Delivered, DeliveredBatch } from '@/lib/domain/metering';
import type { Clock } from '@/lib/infra/clock';
import type { Delivery } from '@/media-worker/kit/http/answer';

/** Writes a batch. Number and day identify it, so a repeated write has no effect. */
export type WriteDelivered = (batch: Omit<DeliveredBatch, 'nodeId'>) => Promise<void>;

/** Maximum number of entries in one batch; further ones count in the next batch. */
const defaultMaxEntries = 50_000;

type Sum = { -readonly [K in keyof Delivered]: Delivered[K] };

/**
 * Sums up delivered bytes and views in memory, and writes a batch every few seconds. A killed process loses the current
 * batch; a failed batch is written again unchanged, before the next one.
 */
export class DeliveredCount {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #write: WriteDelivered;
  readonly #maxEntries: number;
  #sums = new Map<string, Sum>();
  /** Asset views by playback id. */
  #views = new Map<string, number>();
  #lastNumber = 0;
  #waiting: Omit<DeliveredBatch, 'nodeId'> | null = null;

  constructor(clock: Pick<Clock, 'now'>, write: WriteDelivered, maxEntries = defaultMaxEntries) {
    this.#clock = clock;
    this.#write = write;
    this.#maxEntries = maxEntries;
  }

  /** Adds bytes that were just sent. */
  add({ of, id, secondsPerByte }: Delivery, bytes: number): void {
    if (bytes <= 0) return;
    const key = `${of} ${id}`;
    let sum = this.#sums.get(key);
    if (!sum) {
      if (this.#sums.size >= this.#maxEntries) return;
      this.#sums.set(key, (sum = { of, id, bytes: 0, seconds: 0, mediaBytes: 0 }));
    }
    sum.bytes += bytes;
    if (secondsPerByte === null) sum.mediaBytes += bytes;
    else sum.seconds += bytes * secondsPerByte;
  }

  /** Adds a view of an asset that just started. */
  recordView(playbackId: string): void {
    const views = this.#views.get(playbackId) ?? 0;
    if (views > 0 || this.#views.size < this.#maxEntries) this.#views.set(playbackId, views + 1);
  }

  /** Writes the sums. Rejects on failure and keeps them for the next call. */
  async flush(): Promise<void> {
    if (this.#waiting) await this.#writeWaiting(this.#waiting);
    if (this.#sums.size === 0 && this.#views.size === 0) return;
    const sums = [...this.#sums.values()];
    const views = Array.from(this.#views, ([playbackId, count]): AssetViews => ({ playbackId, count }));
    this.#sums = new Map();
    this.#views = new Map();
    const day = this.#clock.now().toISOString().slice(0, 10);
    this.#waiting = { number: this.#lastNumber + 1, day, delivered: sums, views };
    await this.#writeWaiting(this.#waiting);
  }

  async #writeWaiting(batch: Omit<DeliveredBatch, 'nodeId'>): Promise<void> {
    await this.#write(batch);
    this.#lastNumber = batch.number;
    this.#waiting = null;
  }
}
