/** Running work by name. A second request for the same name gets the result of the first. Work is removed when it ends. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  get size(): number {
    return this.#running.size;
  }

  running(name: string): Promise<T> | undefined {
    return this.#running.get(name);
  }

  /** @param work gets a function that returns whether its result is still valid: false after `invalidate` */
  run(name: string, work: (counts: () => boolean) => Promise<T>): Promise<T> {
    const running = this.#running.get(name);
    if (running) return running;
    const counts = () => this.#running.get(name) === promise;
    const promise: Promise<T> = work(counts).finally(() => {
      if (counts()) this.#running.delete(name);
    });
    this.#running.set(name, promise);
    return promise;
  }

  /** Detaches running work, which may have read old data: the next request starts again. @param name all if absent */
  invalidate(name?: string): void {
    if (name === undefined) this.#running.clear();
    else this.#running.delete(name);
  }

  /** Resolves when all current work has ended, successfully or not. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
