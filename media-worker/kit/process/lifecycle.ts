import type { WorkerContext } from '@/lib/domain/context';
import type { Logger } from '@/lib/infra/logger';
import { within } from '@/lib/infra/within';

type Close = () => unknown;

/** Everything a role has started, closed in reverse order, each with a timeout. */
export class Lifecycle {
  readonly #log: Logger;
  readonly #resources: { readonly name: string; readonly close: Close; readonly ms: number }[] = [];
  readonly #first: (() => Promise<void>)[] = [];
  #closing: Promise<void> | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Work that the process completes before it closes anything, without a timeout. */
  beforeClose(work: () => Promise<void>): void {
    this.#first.push(work);
  }

  async prepareToClose(): Promise<void> {
    for (const work of this.#first) {
      await work().catch((error: unknown) => this.#log.warn({ err: error }, 'shutdown not prepared'));
    }
  }

  /** @param ms timeout of `close` */
  own(name: string, close: Close, ms = 1_500): void {
    this.#resources.push({ name, close, ms });
  }

  /** May be called twice. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    for (const { name, close, ms } of this.#resources.reverse()) {
      const late = () => this.#log.warn({ part: name }, 'shutdown timed out');
      try {
        await within(ms, Promise.resolve(close()), late);
      } catch (error) {
        this.#log.warn({ err: error, part: name }, 'shutdown failed');
      }
    }
  }
}

/**
 * Starts one role; resolves when it is running and everything is registered in `lifecycle`.
 * @param signal aborts when the process is to end, even during the start
 */
export type StartRole = (ctx: WorkerContext, lifecycle: Lifecycle, signal: AbortSignal) => Promise<void>;
