import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@/lib/infra/logger';

const RETRY_DELAY_MS = 500;
const MAX_WAITING_WRITES = 32;

/** Writes to the database in the order in which they are added, one at a time. */
export class WriteQueue {
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  #tail: Promise<void> = Promise.resolve();
  /** Number of writes that are waiting or running. */
  #waitingCount = 0;

  /** @param signal ends the retries when the process exits */
  constructor(log: Logger, signal: AbortSignal) {
    this.#log = log;
    this.#signal = signal;
  }

  /**
   * Adds a write that is retried until it succeeds or the process exits.
   * @param name of the write, for the log
   */
  addUntilWritten(name: string, write: () => Promise<unknown>): Promise<void> {
    return this.#add(name, true, write);
  }

  /**
   * Adds a write that is attempted once, or drops it while too many writes wait.
   * @param name of the write, for the log
   */
  addOnce(name: string, write: () => Promise<unknown>): Promise<void> {
    return this.#waitingCount >= MAX_WAITING_WRITES ? this.#tail : this.#add(name, false, write);
  }

  #add(name: string, isRetried: boolean, write: () => Promise<unknown>): Promise<void> {
    this.#waitingCount += 1;
    this.#tail = this.#tail.then(async () => {
      await this.#write(name, isRetried, write);
      this.#waitingCount -= 1;
    });
    return this.#tail;
  }

  async #write(name: string, isRetried: boolean, write: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await write();
        return;
      } catch (error) {
        if (attempt === 1) this.#log.warn({ err: error, fact: name }, 'stream state not written');
        if (!isRetried || this.#signal.aborted) return;
        await delay(RETRY_DELAY_MS);
      }
    }
  }
}
