/** The client that requested a job, and the subject that the job is about. */
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
  readonly #waitingJobs: WaitingJob[] = [];
  /** Number of the last run of each client and subject that has waiting jobs. */
  #lastRuns = { client: new Map<string, number>(), subject: new Map<string, number>() };
  #runCount = 0;
  #isBusy = false;

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
    const countWaiting = (field: keyof FairQueueKey) =>
      this.#waitingJobs.filter((job) => job[field] === key[field]).length;
    if (this.#waitingJobs.length >= total) return null;
    if (countWaiting('client') >= perClient || countWaiting('subject') >= perSubject) return null;
    const whenStarted = new Promise<void>((resolve) => this.#waitingJobs.push({ ...key, start: resolve }));
    if (!this.#isBusy) this.#startNext();
    return whenStarted.then(work).finally(() => this.#startNext());
  }

  #startNext(): void {
    const field = this.#runCount % 2 === 0 ? 'client' : 'subject';
    const lastRun = (job: WaitingJob) => this.#lastRuns[field].get(job[field]) ?? 0;
    let nextJob: WaitingJob | undefined;
    for (const job of this.#waitingJobs) if (!nextJob || lastRun(job) < lastRun(nextJob)) nextJob = job;
    this.#isBusy = nextJob !== undefined;
    if (!nextJob) return;
    this.#waitingJobs.splice(this.#waitingJobs.indexOf(nextJob), 1);
    this.#runCount += 1;
    this.#lastRuns = {
      client: this.#lastRunsAfter('client', nextJob.client),
      subject: this.#lastRunsAfter('subject', nextJob.subject),
    };
    nextJob.start();
  }

  /** The numbers of the last runs after a run, only of clients or subjects that still have waiting jobs. */
  #lastRunsAfter(field: keyof FairQueueKey, current: string): Map<string, number> {
    const runsByName = new Map<string, number>();
    for (const { [field]: name } of this.#waitingJobs) {
      const lastRun = name === current ? this.#runCount : this.#lastRuns[field].get(name);
      if (lastRun !== undefined) runsByName.set(name, lastRun);
    }
    return runsByName;
  }
}
