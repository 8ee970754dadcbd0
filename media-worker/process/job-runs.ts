interface Run<Job> {
  readonly job: Job;
  readonly stopping: AbortController;
  readonly over: Promise<void>;
  isOver: boolean;
}

/**
 * What a process runs of one queue, each until the queue knows that it ended. BullMQ keeps the locks of a worker by the id of
 * the job: the end of one run would take the lock from another of the same id, which then nobody renews. Two of them meet
 * when a job was lost, and given to the same process again, or added again before its worker knows that it is gone.
 */
export class JobRuns<Job extends { readonly id?: string | undefined }> {
  readonly #runs = new Map<string, Run<Job>>();

  /** Does the work, or nothing where a job of this id is not settled: that one is ended, and whoever plans the next adds it. */
  async run(job: Job, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const id = job.id ?? '';
    const before = this.#runs.get(id);
    if (before) {
      before.stopping.abort();
      await before.over;
      return;
    }
    const stopping = new AbortController();
    const working = work(AbortSignal.any([signal, stopping.signal]));
    const run: Run<Job> = {
      ...{ job, stopping, isOver: false },
      over: working.then(
        () => void (run.isOver = true),
        () => void (run.isOver = true),
      ),
    };
    this.#runs.set(id, run);
    await working;
  }

  /** The queue knows of its end. */
  settled(job: Job): void {
    // BullMQ lets go of the lock in the same turn of the event loop, but after it has told.
    setImmediate(() => {
      if (this.#runs.get(job.id ?? '')?.job === job) this.#runs.delete(job.id ?? '');
    });
  }

  /** Those that are over, while the queue has not said that it knows. */
  unsettled(): Job[] {
    return [...this.#runs.values()].filter(({ isOver }) => isOver).map(({ job }) => job);
  }
}
