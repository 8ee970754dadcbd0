/** Cleans up everything that a bench starts or creates, in reverse order, even after an error or interruption. */
export class Scope {
  readonly #undo: (() => Promise<void> | void)[] = [];
  #closing: Promise<void> | undefined;

  defer(undo: () => Promise<void> | void): void {
    this.#undo.push(undo);
  }

  /** May be called twice; the second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#run();
    return this.#closing;
  }

  async #run(): Promise<void> {
    for (let undo = this.#undo.pop(); undo; undo = this.#undo.pop()) {
      try {
        await undo();
      } catch (error) {
        console.error('cleanup:', error instanceof Error ? error.message : error);
      }
    }
  }
}

/** Runs `work` in a nested scope, so that nothing of one measurement is left running in the next. */
export async function within<T>(outer: Scope, work: (scope: Scope) => Promise<T>): Promise<T> {
  const scope = new Scope();
  outer.defer(() => scope.close());
  try {
    return await work(scope);
  } finally {
    await scope.close();
  }
}
