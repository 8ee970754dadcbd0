interface JobRun<Job> {
  readonly job: Job;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  isOver: boolean;
}

/**
 * Running jobs of one queue in this process, each until the queue confirms its end. BullMQ keeps a worker's locks by job
 * id, so the end of one run would release the lock of another run with the same id. Two such runs exist when a lost job
 * returns to the same process, or is added again before its worker notices.
 */
export class JobRuns<Job extends { readonly id?: string | undefined }> {
  readonly #runs = new Map<string, JobRun<Job>>();

  /**
   * Runs the work, unless the queue has not confirmed the end of an earlier run with this id. The earlier run is
   * then aborted, and the planner adds the next job.
   */
  async run(job: Job, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const id = job.id ?? '';
    const previous = this.#runs.get(id);
    if (previous) {
      previous.controller.abort();
      await previous.ended;
      return;
    }
    const controller = new AbortController();
    const working = work(AbortSignal.any([signal, controller.signal]));
    const run: JobRun<Job> = {
      job,
      controller,
      isOver: false,
      ended: working.then(
        () => void (run.isOver = true),
        () => void (run.isOver = true),
      ),
    };
    this.#runs.set(id, run);
    await working;
  }

  /** Records that the queue has confirmed the end of the job. */
  confirmEnd(job: Job): void {
    // BullMQ emits its event before it releases the lock, in the same turn of the event loop.
    setImmediate(() => {
      if (this.#runs.get(job.id ?? '')?.job === job) this.#runs.delete(job.id ?? '');
    });
  }

  /** Jobs whose runs have ended here, but whose end the queue has not confirmed. */
  unconfirmedJobs(): Job[] {
    return [...this.#runs.values()].filter(({ isOver }) => isOver).map(({ job }) => job);
  }
}
