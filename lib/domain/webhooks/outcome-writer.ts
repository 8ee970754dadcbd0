import { setTimeout as delay } from 'node:timers/promises';
import type { SystemContext } from '@/lib/domain/context';
import { recordOutcomes, type FinishedAttempt } from './record-outcomes';

/** Maximum number of results per transaction. */
const BATCH_SIZE = 100;
/** Maximum attempts to write a batch during a database outage. When they are used up, the deliveries are sent again. */
const MAX_WRITE_ATTEMPTS = 10;
const RETRY_DELAY_MS = 1_000;

interface QueuedResult extends FinishedAttempt {
  /** Resolves the promise of the caller with the due time of the next attempt. */
  readonly onWritten: (nextAt: Date | null) => void;
}

/**
 * Writes delivery results in batches. A result is written immediately if no write is running. Results that arrive during a
 * write form the next batch.
 */
export class OutcomeWriter {
  readonly #ctx: SystemContext;
  readonly #signal: AbortSignal;
  #queue: QueuedResult[] = [];
  #isWriting = false;

  /** @param signal aborted at shutdown, after which writes are not retried */
  constructor(ctx: SystemContext, signal: AbortSignal) {
    this.#ctx = ctx;
    this.#signal = signal;
  }

  /** @returns due time of the next attempt; null if there is none, or if the result could not be written */
  write(result: FinishedAttempt): Promise<Date | null> {
    return new Promise((onWritten) => {
      this.#queue.push({ ...result, onWritten });
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    for (let batch = this.#takeBatch(); batch.length > 0; batch = this.#takeBatch())
      await this.#record(batch);
    this.#isWriting = false;
  }

  /**
   * Removes the oldest results from the queue, at most one per delivery, because two attempts of a delivery may overlap
   * after a worker lost its job.
   */
  #takeBatch(): QueuedResult[] {
    const batch: QueuedResult[] = [];
    const remainingResults: QueuedResult[] = [];
    const ids = new Set<string>();
    for (const result of this.#queue) {
      const fits = batch.length < BATCH_SIZE && !ids.has(result.attempt.id);
      (fits ? batch : remainingResults).push(result);
      if (fits) ids.add(result.attempt.id);
    }
    this.#queue = remainingResults;
    return batch;
  }

  async #record(batch: readonly QueuedResult[], writesLeft = MAX_WRITE_ATTEMPTS): Promise<void> {
    try {
      const dueTimes = await recordOutcomes(this.#ctx, batch);
      for (const [index, { onWritten }] of batch.entries()) onWritten(dueTimes[index] ?? null);
    } catch (error) {
      const givesUp = writesLeft <= 1 || this.#signal.aborted;
      // Only the first and last failure are logged, so that a database outage does not flood the log.
      if (givesUp || writesLeft === MAX_WRITE_ATTEMPTS)
        this.#ctx.log.warn(
          { err: error, deliveries: batch.length, willRetry: !givesUp },
          'webhook delivery results not written',
        );
      // The retry runs in the background, so that newer results do not wait for it.
      if (givesUp) for (const { onWritten } of batch) onWritten(null);
      else void this.#retry(batch, writesLeft - 1);
    }
  }

  /** Retries both halves of a batch separately, so that a result that cannot be written does not block the others. */
  async #retry(batch: readonly QueuedResult[], writesLeft: number): Promise<void> {
    await delay(RETRY_DELAY_MS, undefined, { signal: this.#signal }).catch(() => undefined);
    const middle = Math.ceil(batch.length / 2);
    const halves = [batch.slice(0, middle), batch.slice(middle)].filter(({ length }) => length > 0);
    await Promise.all(halves.map((half) => this.#record(half, writesLeft)));
  }
}
