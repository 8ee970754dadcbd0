/** Seeded pseudo-random numbers (mulberry32). A seed determines the sequence of numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** @returns a number from 0 to below 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let hash = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @returns a number from `low` to below `high` */
  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** @returns undefined for an empty list */
  pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.next() * list.length)];
  }

  shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, sortKey: this.next() }))
      .sort((a, b) => a.sortKey - b.sortKey)
      .map(({ item }) => item);
  }
}
