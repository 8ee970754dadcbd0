import type { IngestLimits } from './ingest-limits';

/** Counts open connections in total and of each address group. */
export class ConnectionLimits {
  readonly #limits: Pick<IngestLimits, 'connections' | 'connectionsPerAddress'>;
  readonly #open = new Map<string, number>();
  #total = 0;

  constructor(limits: Pick<IngestLimits, 'connections' | 'connectionsPerAddress'>) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** Takes a place. False, and nothing taken, when the server or the group is full. */
  enter(group: string): boolean {
    const open = this.#open.get(group) ?? 0;
    if (this.#total >= this.#limits.connections || open >= this.#limits.connectionsPerAddress) return false;
    this.#open.set(group, open + 1);
    this.#total += 1;
    return true;
  }

  /** Gives back a place that `enter` took. */
  leave(group: string): void {
    const open = (this.#open.get(group) ?? 0) - 1;
    if (open > 0) this.#open.set(group, open);
    else this.#open.delete(group);
    this.#total -= 1;
  }
}
