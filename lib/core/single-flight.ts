/** Runs work once for concurrent callers: a call with the name of running work gets the result of that work. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** Number of names with running work. */
  get size(): number {
    return this.#running.size;
  }

  /** The result of the running work with this name; undefined if none runs. */
  find(name: string): Promise<T> | undefined {
    return this.#running.get(name);
  }

  /**
   * Returns the result of the running work with this name, or starts it.
   * @param work the work; its parameter returns whether the result is still valid, which is false after `invalidate`
   */
  run(name: string, work: (isCurrent: () => boolean) => Promise<T>): Promise<T> {
    const runningWork = this.#running.get(name);
    if (runningWork) return runningWork;
    const isCurrent = () => this.#running.get(name) === promise;
    const promise: Promise<T> = work(isCurrent).finally(() => {
      if (isCurrent()) this.#running.delete(name);
    });
    this.#running.set(name, promise);
    return promise;
  }

  /**
   * Detaches running work, which may have read old data: the next call starts the work again.
   * @param name name of the work; all work if absent
   */
  invalidate(name?: string): void {
    if (name === undefined) this.#running.clear();
    else this.#running.delete(name);
  }

  /** Resolves when all running work has ended, successfully or not. Detached work is not awaited. */
  async waitForAll(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
