import type { WorkerContext } from '@/lib/domain/context';
import type { Logger } from '@/lib/infra/logger';
import { within } from '@/lib/infra/within';

type Close = () => unknown;

/** The running parts of a role, closed in reverse order of their start, each with a timeout. */
export class Lifecycle {
  readonly #log: Logger;
  readonly #parts: { readonly name: string; readonly close: Close; readonly timeoutMs: number }[] = [];
  readonly #preparations: (() => Promise<void>)[] = [];
  #closing: Promise<void> | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Adds work that runs before any part is closed, without a timeout. */
  beforeClose(work: () => Promise<void>): void {
    this.#preparations.push(work);
  }

  /** Runs the work of `beforeClose`, in the order in which it was added. */
  async prepareToClose(): Promise<void> {
    for (const work of this.#preparations) {
      await work().catch((error: unknown) => this.#log.warn({ err: error }, 'shutdown not prepared'));
    }
  }

  /**
   * Adds a part.
   * @param name for the log
   * @param timeoutMs timeout of `close`
   */
  own(name: string, close: Close, timeoutMs = 1_500): void {
    this.#parts.push({ name, close, timeoutMs });
  }

  /** Closes all parts. Idempotent. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    for (const { name, close, timeoutMs } of this.#parts.reverse()) {
      const onTimeout = () => this.#log.warn({ part: name }, 'shutdown timed out');
      try {
        await within(timeoutMs, Promise.resolve(close()), onTimeout);
      } catch (error) {
        this.#log.warn({ err: error, part: name }, 'shutdown failed');
      }
    }
  }
}

/**
 * Starts one role; resolves when it is running and all of its parts are registered in `lifecycle`.
 * @param signal aborted when the process must end, even during the start
 */
export type StartRole = (ctx: WorkerContext, lifecycle: Lifecycle, signal: AbortSignal) => Promise<void>;
