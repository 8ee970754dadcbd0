import type { Logger } from '@/lib/infra/logger';

type Close = () => unknown;

/** Everything a role has started, ended in reverse order; each step has only so long. */
export class Lifecycle {
  readonly #log: Logger;
  readonly #owned: { readonly name: string; readonly close: Close }[] = [];
  #closing: Promise<void> | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  own(name: string, close: Close): void {
    this.#owned.push({ name, close });
  }

  /** May be called twice. @param stepMs what one part may take before it is left behind */
  close(stepMs = 4_000): Promise<void> {
    return (this.#closing ??= this.#close(stepMs));
  }

  async #close(stepMs: number): Promise<void> {
    for (const { name, close } of this.#owned.reverse()) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), stepMs);
      });
      try {
        if ((await Promise.race([Promise.resolve(close()), late])) === 'late')
          this.#log.warn({ part: name }, 'slow to end');
      } catch (error) {
        this.#log.warn({ err: error, part: name }, 'failed to end');
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
