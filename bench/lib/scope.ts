/** Cleanup of everything that a bench or test run starts or creates, in reverse order, even after an error or interruption. */
export class Scope {
  readonly #cleanups: (() => Promise<void> | void)[] = [];
  #closing: Promise<void> | undefined;

  defer(cleanup: () => Promise<void> | void): void {
    this.#cleanups.push(cleanup);
  }

  /** Runs all cleanups. A second call waits for the first call. */
  close(): Promise<void> {
    this.#closing ??= this.#runCleanups();
    return this.#closing;
  }

  async #runCleanups(): Promise<void> {
    for (let cleanup = this.#cleanups.pop(); cleanup; cleanup = this.#cleanups.pop()) {
      try {
        await cleanup();
      } catch (error) {
        console.error('cleanup:', error instanceof Error ? error.message : error);
      }
    }
  }
}

/** Runs `work` in a nested scope, so that no process of one measurement runs during the next. */
export async function runInScope<T>(outer: Scope, work: (scope: Scope) => Promise<T>): Promise<T> {
  const scope = new Scope();
  outer.defer(() => scope.close());
  try {
    return await work(scope);
  } finally {
    await scope.close();
  }
}
