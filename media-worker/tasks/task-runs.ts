import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  beginWork,
  failWork,
  interruptWork,
  releaseWork,
  reportWork,
  reviveLostWork,
  RunLostError,
} from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { placesOfAccount, taskLaneOf, type TaskLane } from '@/lib/core/tasks/task-lanes';
import type { Egress } from '@/lib/infra/egress/egress';
import { beginTask, isOvertaken, isUnfinishedTask, type LanePlaces, type RunningTask } from '@/lib/tasks';
import { every } from '../process/every';
import type { JobHandler } from '../process/workers';
import { explainFailure } from './explain-failure';
import { TaskFailure, TaskReleased, type TaskHandler } from './task-job';
import { WorkEstimate } from './work-estimate';

export interface TaskRunsOptions {
  readonly egress: Egress;
  /** By the type of task. */
  readonly handlers: Readonly<Record<string, TaskHandler>>;
  /** Tasks at the same moment in each lane. */
  readonly places: LanePlaces;
  /** How often a running task says how far it is. */
  readonly reportMs?: number;
}

interface Run {
  readonly task: RunningTask;
  readonly ending: AbortController;
  readonly estimate: WorkEstimate;
}

export const scratchFolder = (dataDir: string): string => join(dataDir, 'scratch');

/** Runs tasks as their jobs ask for it. Their rows are the truth: they say which run may begin, and which may write. */
export class TaskRuns {
  readonly #ctx: WorkerContext;
  readonly #options: Required<TaskRunsOptions>;
  /** By the id of the task: when its run here is over. */
  readonly #ends = new Map<string, Promise<void>>();
  /** By the id of the task: looks whether the row is still the run's. */
  readonly #looks = new Map<string, () => void>();
  readonly #closing = new AbortController();

  constructor(ctx: WorkerContext, { reportMs = 2_000, ...options }: TaskRunsOptions) {
    this.#ctx = ctx;
    this.#options = { ...options, reportMs };
  }

  /** Works on the queue of a lane. */
  handler(lane: TaskLane): JobHandler<'tasks'> {
    const concurrency = this.#options.places[lane];
    return {
      concurrency,
      run: ({ taskId: id, attempt }, signal) =>
        this.#afterOthers(id, async () => {
          const task = await beginTask(this.#ctx, { id, attempt }, placesOfAccount(concurrency));
          if (task) await this.#run(task, signal);
          else await reviveLostWork(this.#ctx, { id, attempt });
        }),
    };
  }

  /** A task changed: if it was cancelled, its run stops. */
  look(id: string): void {
    this.#looks.get(id)?.();
  }

  /** Running tasks are given back: another process, or the next, goes on with them. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#ends.values());
  }

  /**
   * One run of a task at a time. A queue that was away for longer than a lock lasts gives a job for the second time, while
   * its first run goes on here: then nothing is left to do when that is over.
   */
  #afterOthers(id: string, work: () => Promise<void>): Promise<void> {
    const run = (this.#ends.get(id) ?? Promise.resolve()).then(work);
    const end = run
      .catch(() => undefined)
      .finally(() => {
        if (this.#ends.get(id) === end) this.#ends.delete(id);
      });
    this.#ends.set(id, end);
    return run;
  }

  async #run(task: RunningTask, lost: AbortSignal): Promise<void> {
    const estimate = new WorkEstimate(this.#ctx.clock, task.progress ?? 0);
    const run: Run = { task, estimate, ending: new AbortController() };
    const { ending } = run;
    const report = every(this.#options.reportMs, 'task', this.#ctx.log, () =>
      reportWork(this.#ctx, task, estimate.report()).catch((error: unknown) => {
        if (!(error instanceof RunLostError)) throw error;
        ending.abort(error);
      }),
    );
    const look = () => report.now();
    const release = () => ending.abort(new TaskReleased());
    this.#looks.set(task.id, look);
    // Another worker that got the job says so in the row.
    lost.addEventListener('abort', look);
    this.#closing.signal.addEventListener('abort', release);
    if (this.#closing.signal.aborted) release();
    const scratch = join(scratchFolder(this.#ctx.settings.dataDir), task.id);
    try {
      await this.#work(run, scratch);
    } catch (error) {
      await this.#afterError(task, ending.signal.aborted ? ending.signal.reason : error, scratch);
    } finally {
      lost.removeEventListener('abort', look);
      this.#closing.signal.removeEventListener('abort', release);
      this.#looks.delete(task.id);
      await report.close();
    }
  }

  async #work(run: Run, scratch: string): Promise<void> {
    const { task, estimate } = run;
    const { signal } = run.ending;
    await beginWork(this.#ctx, task);
    await mkdir(scratch, { recursive: true });
    const { handlers, egress } = this.#options;
    const handler = handlers[task.type];
    if (!handler) throw new TaskFailure(`unknown task type ${task.type}`);
    const report = (progress: number) => estimate.reached(progress);
    const giveWay = () => this.#giveWay(run);
    signal.throwIfAborted();
    await handler({ ctx: this.#ctx, egress, task, signal, scratch, report, giveWay });
    this.#ctx.log.info({ taskId: task.id, type: task.type }, 'task completed');
    await rm(scratch, { recursive: true, force: true });
  }

  async #giveWay({ task, estimate }: Run): Promise<void> {
    let overtaken = false;
    try {
      await reportWork(this.#ctx, task, estimate.report());
      overtaken = await isOvertaken(this.#ctx, task, taskLaneOf(task.lane));
    } catch (error) {
      if (error instanceof RunLostError) throw error;
      // Without the database nobody can take the place.
      this.#ctx.log.warn({ err: error, taskId: task.id }, 'could not look for due tasks');
    }
    if (overtaken) throw new TaskReleased();
  }

  /** @throws when the end can't be stored: then the job is done again, and finds the run without a worker */
  async #afterError(task: RunningTask, error: unknown, scratch: string): Promise<void> {
    if (error instanceof TaskReleased) await releaseWork(this.#ctx, task, error.change);
    else if (error instanceof TaskFailure) await failWork(this.#ctx, task, error.message);
    else if (!(error instanceof RunLostError)) {
      const interruption = explainFailure(error);
      const { cause } = interruption;
      this.#ctx.log.warn({ err: error, taskId: task.id, type: task.type, cause }, 'task interrupted');
      await interruptWork(this.#ctx, task, interruption);
    }
    // A run that goes on elsewhere, or later, needs what this one has made so far.
    if (await isUnfinishedTask(this.#ctx, task.id)) return;
    await rm(scratch, { recursive: true, force: true });
  }
}
