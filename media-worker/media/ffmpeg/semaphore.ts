/** Limits concurrent work; waiting work starts in order of arrival. */
export class Semaphore {
  #freeSlots: number;
  readonly #waiting: (() => void)[] = [];

  constructor(slots: number) {
    this.#freeSlots = slots;
  }

  /**
   * Runs `work` when a slot is free.
   * @throws errors of `work`
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#freeSlots > 0) this.#freeSlots--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#freeSlots++;
    }
  }
}
