/** Whatever a bench starts or creates is undone in reverse order, also when it fails or is interrupted. */
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
        console.error('clean-up:', error instanceof Error ? error.message : error);
      }
    }
  }
}

/** Runs `work` with a scope of its own inside `outer`, so that each measurement starts on a quiet machine. */
export async function within<T>(outer: Scope, work: (scope: Scope) => Promise<T>): Promise<T> {
  const scope = new Scope();
  outer.defer(() => scope.close());
  try {
    return await work(scope);
  } finally {
    await scope.close();
  }
}
