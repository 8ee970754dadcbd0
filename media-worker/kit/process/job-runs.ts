interface JobRun<Job> {
  readonly job: Job;
  readonly stopping: AbortController;
  readonly over: Promise<void>;
  isOver: boolean;
}

/**
 * The runs of one queue in this process, each until the queue knows that it ended. BullMQ keeps a worker's locks by job
 * id, so the end of one run would release the lock of another run with the same id, which is then no longer renewed.
 * Two such runs exist when a lost job is given to the same process again, or is added again before its worker notices.
 */
export class JobRuns<Job extends { readonly id?: string | undefined }> {
  readonly #runs = new Map<string, JobRun<Job>>();

  /**
   * Does the work, or nothing if an earlier run of this id is not settled; that run is aborted, and the planner adds
   * the next job.
   */
  async run(job: Job, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const id = job.id ?? '';
    const previous = this.#runs.get(id);
    if (previous) {
      previous.stopping.abort();
      await previous.over;
      return;
    }
    const stopping = new AbortController();
    const working = work(AbortSignal.any([signal, stopping.signal]));
    const run: JobRun<Job> = {
      ...{ job, stopping, isOver: false },
      over: working.then(
        () => void (run.isOver = true),
        () => void (run.isOver = true),
      ),
    };
    this.#runs.set(id, run);
    await working;
  }

  /** The queue knows that the job ended. */
  confirmEnd(job: Job): void {
    // BullMQ emits its event before it releases the lock, in the same turn of the event loop.
    setImmediate(() => {
      if (this.#runs.get(job.id ?? '')?.job === job) this.#runs.delete(job.id ?? '');
    });
  }

  /** Ended runs that the queue has not confirmed. */
  unconfirmedJobs(): Job[] {
    return [...this.#runs.values()].filter(({ isOver }) => isOver).map(({ job }) => job);
  }
}
