/** Timers that are cancelled with their owner. */
export class Timers {
  readonly #running = new Set<NodeJS.Timeout>();
  #isStopped = false;

  /** Runs `action` after `delayMs` milliseconds, unless `stop` is called before. */
  schedule(delayMs: number, action: () => void): void {
    if (this.#isStopped) return;
    const timer = setTimeout(() => {
      this.#running.delete(timer);
      action();
    }, delayMs);
    this.#running.add(timer);
  }

  /** Cancels all timers; later ones are ignored. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}
