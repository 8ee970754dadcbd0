import type { AssetViews, Delivered, DeliveredBatch } from '@/lib/domain/metering';
import type { Clock } from '@/lib/infra/clock';
import type { Delivery } from '@/media-worker/kit/http/answer';

/** Writes a batch. Number and day identify it, so a repeated write has no effect. */
export type WriteDelivered = (batch: Omit<DeliveredBatch, 'nodeId'>) => Promise<void>;

export interface DeliveredCountOptions {
  readonly write: WriteDelivered;
  /** Called when a batch lacks objects beyond the limit: their bytes and views are missing in usage and quotas. */
  readonly onLoss: (loss: { readonly bytes: number; readonly views: number }) => void;
  /** Maximum number of objects in one batch. */
  readonly maxEntries?: number | undefined;
}

/**
 * Maximum number of objects in one batch. Only an outage of the database makes a batch so large, so that an earlier write would
 * not help.
 */
const DEFAULT_MAX_ENTRIES = 50_000;

type MutableDelivered = { -readonly [K in keyof Delivered]: Delivered[K] };

/**
 * Sums up delivered bytes and views in memory, and writes a batch every few seconds. A killed process loses the current
 * batch; a failed batch is written again unchanged, before the next one.
 */
export class DeliveredCount {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #write: WriteDelivered;
  readonly #onLoss: DeliveredCountOptions['onLoss'];
  readonly #maxEntries: number;
  #sums = new Map<string, MutableDelivered>();
  /** Asset views by playback id. */
  #views = new Map<string, number>();
  /** Bytes and views that the current batch lacks, because it has no room for another entry. */
  #lost = { bytes: 0, views: 0 };
  #lastNumber = 0;
  #pendingBatch: Omit<DeliveredBatch, 'nodeId'> | null = null;

  constructor(
    clock: Pick<Clock, 'now'>,
    { write, onLoss, maxEntries = DEFAULT_MAX_ENTRIES }: DeliveredCountOptions,
  ) {
    this.#clock = clock;
    this.#write = write;
    this.#onLoss = onLoss;
    this.#maxEntries = maxEntries;
  }

  /** Adds bytes that were just sent. */
  add({ kind, id, secondsPerByte }: Delivery, bytes: number): void {
    if (bytes <= 0) return;
    const key = `${kind} ${id}`;
    let sum = this.#sums.get(key);
    if (!sum) {
      if (this.#sums.size >= this.#maxEntries) {
        this.#lost.bytes += bytes;
        return;
      }
      this.#sums.set(key, (sum = { kind, id, bytes: 0, seconds: 0, mediaBytes: 0 }));
    }
    sum.bytes += bytes;
    if (secondsPerByte === null) sum.mediaBytes += bytes;
    else sum.seconds += bytes * secondsPerByte;
  }

  /** Adds a view of an asset. */
  recordView(playbackId: string): void {
    const views = this.#views.get(playbackId) ?? 0;
    if (views > 0 || this.#views.size < this.#maxEntries) this.#views.set(playbackId, views + 1);
    else this.#lost.views += 1;
  }

  /** Writes the sums. Rejects on failure and keeps them for the next call. */
  async flush(): Promise<void> {
    if (this.#pendingBatch) await this.#writePending(this.#pendingBatch);
    if (this.#sums.size === 0 && this.#views.size === 0) return;
    const sums = [...this.#sums.values()];
    const views = Array.from(this.#views, ([playbackId, count]): AssetViews => ({ playbackId, count }));
    this.#sums = new Map();
    this.#views = new Map();
    if (this.#lost.bytes > 0 || this.#lost.views > 0) this.#onLoss(this.#lost);
    this.#lost = { bytes: 0, views: 0 };
    const day = this.#clock.now().toISOString().slice(0, 10);
    this.#pendingBatch = { number: this.#lastNumber + 1, day, delivered: sums, views };
    await this.#writePending(this.#pendingBatch);
  }

  async #writePending(batch: Omit<DeliveredBatch, 'nodeId'>): Promise<void> {
    await this.#write(batch);
    this.#lastNumber = batch.number;
    this.#pendingBatch = null;
  }
}
