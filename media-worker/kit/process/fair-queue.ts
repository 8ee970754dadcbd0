interface FairQueueKey {
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

interface WaitingJob extends FairQueueKey {
  readonly start: () => void;
}

/**
 * Runs one job at a time. The next job is alternately that of the client, or of the subject, whose last job was
 * longest ago. So neither a client with many subjects nor a subject with many clients delays others.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** Waiting jobs in order of arrival. */
  readonly #waiting: WaitingJob[] = [];
  /** Number of the last run of each client and subject that has waiting jobs. */
  #lastRuns = { client: new Map<string, number>(), subject: new Map<string, number>() };
  #runCount = 0;
  #busy = false;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /**
   * Queues a job.
   * @returns the result of `work`; null if the queue is full
   * @throws errors of `work`
   */
  run<Result>(key: FairQueueKey, work: () => Promise<Result>): Promise<Result> | null {
    const { perClient, perSubject, total } = this.#limits;
    const waitingWith = (field: keyof FairQueueKey) =>
      this.#waiting.filter((entry) => entry[field] === key[field]).length;
    if (this.#waiting.length >= total) return null;
    if (waitingWith('client') >= perClient || waitingWith('subject') >= perSubject) return null;
    const whenStarted = new Promise<void>((resolve) => this.#waiting.push({ ...key, start: resolve }));
    if (!this.#busy) this.#startNext();
    return whenStarted.then(work).finally(() => this.#startNext());
  }

  #startNext(): void {
    const field = this.#runCount % 2 === 0 ? 'client' : 'subject';
    const lastRun = (entry: WaitingJob) => this.#lastRuns[field].get(entry[field]) ?? 0;
    let first: WaitingJob | undefined;
    for (const entry of this.#waiting) if (!first || lastRun(entry) < lastRun(first)) first = entry;
    this.#busy = first !== undefined;
    if (!first) return;
    this.#waiting.splice(this.#waiting.indexOf(first), 1);
    this.#runCount += 1;
    this.#lastRuns = {
      client: this.#lastRunsAfter('client', first.client),
      subject: this.#lastRunsAfter('subject', first.subject),
    };
    first.start();
  }

  /** The numbers of the last runs after a run, only of clients or subjects that still have waiting jobs. */
  #lastRunsAfter(field: keyof FairQueueKey, current: string): Map<string, number> {
    const runsByName = new Map<string, number>();
    for (const { [field]: name } of this.#waiting) {
      const lastRun = name === current ? this.#runCount : this.#lastRuns[field].get(name);
      if (lastRun !== undefined) runsByName.set(name, lastRun);
    }
    return runsByName;
  }
}
