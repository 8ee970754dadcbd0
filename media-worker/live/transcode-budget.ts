/** The cores of this node that transcoding may keep busy, shared by its streams: first come, first served. */
export class TranscodeBudget {
  readonly #cores: number;
  readonly #taken = new Map<object, number>();

  constructor(cores: number) {
    this.#cores = cores;
  }

  /** Cores available to `owner`. A single stream may use any number: its lag shows if the machine is too slow. */
  freeFor(owner: object): number {
    const others = [...this.#taken].filter(([taker]) => taker !== owner);
    if (others.length === 0) return Infinity;
    return this.#cores - others.reduce((sum, [, cores]) => sum + cores, 0);
  }

  /** Replaces what `owner` had taken; 0 gives it back. */
  take(owner: object, cores: number): void {
    if (cores > 0) this.#taken.set(owner, cores);
    else this.#taken.delete(owner);
  }
}
