interface Share {
  readonly client: string;
  readonly subject: string;
}

interface FairQueueLimits {
  /** Maximum number of waiting jobs of one client. */
  readonly perClient: number;
  /** Maximum number of waiting jobs about one subject. */
  readonly perSubject: number;
  /** Maximum number of waiting jobs in total. */
  readonly total: number;
}

interface Entry extends Share {
  readonly start: () => void;
}

/**
 * Runs one job at a time. The client and the subject that have waited longest since their last job go first, so neither
 * a client with many subjects nor a subject with many clients delays others.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** Waiting jobs in order of arrival. */
  readonly #waiting: Entry[] = [];
  /** Number of the last run of each waiting client and subject. */
  #lastTurns = { client: new Map<string, number>(), subject: new Map<string, number>() };
  #turns = 0;
  #busy = false;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** @returns null if the queue is full @throws errors of `work` */
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

  /** The numbers of the last runs after a run, only for clients and subjects that still wait. */
  #turnsAfter(of: keyof Share, current: string): Map<string, number> {
    const turnsByName = new Map<string, number>();
    for (const { [of]: name } of this.#waiting) {
      const lastRun = name === current ? this.#turns : this.#lastTurns[of].get(name);
      if (lastRun !== undefined) turnsByName.set(name, lastRun);
    }
    return turnsByName;
  }
}
