import { setTimeout as wait } from 'node:timers/promises';
import type { SystemContext } from '@/lib/context';
import { recordOutcomes, type MadeAttempt } from './record-outcomes';

/** Results in one transaction. */
const batchSize = 100;
/** Attempts to write results during a database outage; after these the deliveries are sent again. */
const tries = 10;
const pauseMs = 1_000;

interface Waiting extends MadeAttempt {
  readonly written: (nextAt: Date | null) => void;
}

/**
 * Writes delivery results in batches: results that arrive during a write form the next batch. A single result does not
 * wait, and many cost little.
 */
export class OutcomeWriter {
  readonly #ctx: SystemContext;
  readonly #signal: AbortSignal;
  #waiting: Waiting[] = [];
  #writing = false;

  /** @param signal aborted when the process ends: from then on writes are not retried */
  constructor(ctx: SystemContext, signal: AbortSignal) {
    this.#ctx = ctx;
    this.#signal = signal;
  }

  /** @returns when the next attempt is due; null when there is none, or when the result could not be written */
  write(made: MadeAttempt): Promise<Date | null> {
    return new Promise((written) => {
      this.#waiting.push({ ...made, written });
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    for (let batch = this.#take(); batch.length > 0; batch = this.#take()) await this.#record(batch);
    this.#writing = false;
  }

  /** The oldest, each delivery once: an attempt whose worker lost its job may end together with its successor. */
  #take(): Waiting[] {
    const batch: Waiting[] = [];
    const later: Waiting[] = [];
    const ids = new Set<string>();
    for (const one of this.#waiting) {
      const fits = batch.length < batchSize && !ids.has(one.started.id);
      (fits ? batch : later).push(one);
      if (fits) ids.add(one.started.id);
    }
    this.#waiting = later;
    return batch;
  }

  async #record(batch: readonly Waiting[], left = tries): Promise<void> {
    try {
      const dates = await recordOutcomes(this.#ctx, batch);
      for (const [index, { written }] of batch.entries()) written(dates[index] ?? null);
    } catch (error) {
      const over = left <= 1 || this.#signal.aborted;
      // Not at each attempt: a database outage must not fill the disk with messages.
      if (over || left === tries)
        this.#ctx.log.warn(
          { err: error, deliveries: batch.length, over },
          'webhook delivery results not written',
        );
      // Newer results do not wait for these.
      if (over) for (const { written } of batch) written(null);
      else void this.#again(batch, left - 1);
    }
  }

  /** Split in halves, so that a result that can never be written does not block the others. */
  async #again(batch: readonly Waiting[], left: number): Promise<void> {
    await wait(pauseMs, undefined, { signal: this.#signal }).catch(() => undefined);
    const middle = Math.ceil(batch.length / 2);
    const halves = [batch.slice(0, middle), batch.slice(middle)].filter(({ length }) => length > 0);
    await Promise.all(halves.map((half) => this.#record(half, left)));
  }
}
