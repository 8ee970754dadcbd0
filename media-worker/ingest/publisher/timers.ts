/** Timers that are cancelled with their owner. */
export class Timers {
  readonly #running = new Set<NodeJS.Timeout>();
  #stopped = false;

  /** Runs `action` after `ms` milliseconds unless stopped. */
  schedule(ms: number, action: () => void): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#running.delete(timer);
      action();
    }, ms);
    this.#running.add(timer);
  }

  /** Cancels all timers; later ones are ignored. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}
