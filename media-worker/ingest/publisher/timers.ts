/** Timers that end together with their owner. */
export class Timers {
  readonly #running = new Set<NodeJS.Timeout>();
  #stopped = false;

  /** Runs `action` in `ms` milliseconds, unless stopped before. */
  schedule(ms: number, action: () => void): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#running.delete(timer);
      action();
    }, ms);
    this.#running.add(timer);
  }

  /** Cancels everything, and whatever is asked for later. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}
