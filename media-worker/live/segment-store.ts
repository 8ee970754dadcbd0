import { setTimeout as delay } from 'node:timers/promises';
import { StorageError, type StorageDriver } from '@/lib/infra/storage';
import type { Logger } from '@/lib/infra/logger';

/** A file on its way into the storage. */
export interface PendingFile {
  readonly key: string;
  readonly body: readonly Buffer[];
}

export interface SegmentStoreOptions {
  readonly storage: Pick<StorageDriver, 'put'>;
  readonly log: Logger;
  /** Nothing is stored any more, for this reason; called once. */
  readonly onFailed: (reason: string) => void;
  readonly maxBytes?: number;
  readonly maxFiles?: number;
  /** Of one attempt. */
  readonly timeoutMs?: number;
  readonly retryMs?: readonly number[];
}

/**
 * Stores files one after the other, behind the back of the live path: whoever adds one never waits. What piles up is
 * bounded; beyond the bound, on a full disk, or when the storage keeps failing, it gives up with a reason.
 */
export class SegmentStore {
  readonly #options: Required<SegmentStoreOptions>;
  readonly #waiting: PendingFile[] = [];
  readonly #ending = new AbortController();
  #bytes = 0;
  #working: Promise<void> | null = null;
  #failed = false;

  constructor(options: SegmentStoreOptions) {
    this.#options = {
      maxBytes: 64 * 1024 * 1024,
      maxFiles: 512,
      timeoutMs: 10_000,
      retryMs: [200, 1_000, 3_000],
      ...options,
    };
  }

  get failed(): boolean {
    return this.#failed;
  }

  get busy(): boolean {
    return this.#working !== null;
  }

  add(file: PendingFile): void {
    if (this.#failed) return;
    const { maxBytes, maxFiles } = this.#options;
    this.#bytes += sizeOf(file);
    this.#waiting.push(file);
    if (this.#bytes > maxBytes || this.#waiting.length > maxFiles) {
      this.fail('The storage is too slow for what is recorded.');
      return;
    }
    this.#working ??= this.#work().finally(() => (this.#working = null));
  }

  /** Gives up: what waits is let go. */
  fail(reason: string): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#waiting.length = 0;
    this.#bytes = 0;
    this.#ending.abort();
    this.#options.onFailed(reason);
  }

  /** Resolves when everything added so far is stored or given up. */
  async drained(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    for (let file = this.#waiting[0]; file && !this.#failed; file = this.#waiting[0]) {
      const reason = await this.#put(file);
      if (reason !== null) {
        this.fail(reason);
        return;
      }
      this.#waiting.shift();
      this.#bytes -= sizeOf(file);
    }
  }

  /** @returns why it could not be stored, also after trying again; null when it is */
  async #put({ key, body }: PendingFile): Promise<string | null> {
    const { storage, log, timeoutMs, retryMs } = this.#options;
    for (let attempt = 0; ; attempt++) {
      try {
        const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(timeoutMs)]);
        await storage.put(key, body, { signal });
        return null;
      } catch (error) {
        if (this.#failed) return null;
        if (error instanceof StorageError && error.kind === 'full') return 'There is no room left to record.';
        const wait = retryMs[attempt];
        log.warn({ err: error, key, again: wait !== undefined }, 'recorded segment not stored');
        if (wait === undefined) return 'The storage does not take what is recorded.';
        await delay(wait, undefined, { signal: this.#ending.signal }).catch(() => undefined);
      }
    }
  }
}

function sizeOf({ body }: PendingFile): number {
  let bytes = 0;
  for (const part of body) bytes += part.length;
  return bytes;
}
