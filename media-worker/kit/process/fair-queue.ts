/** For whom something is done, and with what. */
interface Share {
  readonly client: string;
  readonly subject: string;
}

interface FairQueueLimits {
  /** Entries that wait: of one client … */
  readonly perClient: number;
  /** … about one subject … */
  readonly perSubject: number;
  /** … and in all. */
  readonly total: number;
}

interface Entry extends Share {
  readonly start: () => void;
}

/**
 * Runs one piece of work at a time. By turns, the client and the subject go first that had their last turn longest ago:
 * neither one client with many subjects nor many clients with one subject keep others waiting.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** In the order in which they came. */
  readonly #waiting: Entry[] = [];
  /** Number of the last turn, of those who wait. */
  #lastTurns = { client: new Map<string, number>(), subject: new Map<string, number>() };
  #turns = 0;
  #busy = false;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** @returns null if too much waits already @throws what `work` throws */
  run<Result>(share: Share, work: () => Promise<Result>): Promise<Result> | null {
    const { perClient, perSubject, total } = this.#limits;
    const waitingWith = (of: keyof Share) => this.#waiting.filter((entry) => entry[of] === share[of]).length;
    if (this.#waiting.length >= total) return null;
    if (waitingWith('client') >= perClient || waitingWith('subject') >= perSubject) return null;
    const whenStarted = new Promise<void>((resolve) => this.#waiting.push({ ...share, start: resolve }));
    if (!this.#busy) this.#next();
    return whenStarted.then(work).finally(() => this.#next());
  }

  #next(): void {
    const by = this.#turns % 2 === 0 ? 'client' : 'subject';
    const lastTurn = (entry: Entry) => this.#lastTurns[by].get(entry[by]) ?? 0;
    let first: Entry | undefined;
    for (const entry of this.#waiting) if (!first || lastTurn(entry) < lastTurn(first)) first = entry;
    this.#busy = first !== undefined;
    if (!first) return;
    this.#waiting.splice(this.#waiting.indexOf(first), 1);
    this.#turns += 1;
    this.#lastTurns = {
      client: this.#turnsAfter('client', first.client),
      subject: this.#turnsAfter('subject', first.subject),
    };
    first.start();
  }

  /** Only of those who still wait: the others are forgotten. */
  #turnsAfter(of: keyof Share, current: string): Map<string, number> {
    const turnsByName = new Map<string, number>();
    for (const { [of]: name } of this.#waiting) {
      const turn = name === current ? this.#turns : this.#lastTurns[of].get(name);
      if (turn !== undefined) turnsByName.set(name, turn);
    }
    return turnsByName;
  }
}
