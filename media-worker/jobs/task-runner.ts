import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  beginWork,
  failWork,
  interruptWork,
  LostTurn,
  releaseWork,
  reportWork,
  reviveLostWork,
} from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { placesOfAccount, taskLaneOf, taskLanes, type TaskLane } from '@/lib/core/task-lanes';
import type { Egress } from '@/lib/infra/egress';
import { claimTask, isOvertaken, isUnfinishedTask, type ClaimedTask } from '@/lib/tasks';
import { every } from '../every';
import { explainFailure } from './explain-failure';
import { TaskFailure, TaskReleased, type TaskHandler } from './task-job';
import { WorkEstimate } from './work-estimate';

export interface TaskRunnerOptions {
  readonly egress: Egress;
  /** By the type of task; it works on these types alone. */
  readonly handlers: Readonly<Record<string, TaskHandler>>;
  /** Tasks at the same moment in each lane. */
  readonly places: Readonly<Record<TaskLane, number>>;
  /** How often a running task says that it is alive, and how far it is. */
  readonly renewMs?: number;
}

interface Run {
  readonly task: ClaimedTask;
  readonly ending: AbortController;
  readonly estimate: WorkEstimate;
}

export const scratchFolder = (dataDir: string): string => join(dataDir, 'scratch');

/** Works on tasks whose row says that they are due. The row is the truth: nothing is remembered here. */
export class TaskRunner {
  readonly #ctx: WorkerContext;
  readonly #options: Required<TaskRunnerOptions>;
  readonly #running = new Map<Promise<void>, Run>();
  #closed = false;

  constructor(ctx: WorkerContext, { renewMs = 2_000, ...options }: TaskRunnerOptions) {
    this.#ctx = ctx;
    this.#options = { ...options, renewMs };
  }

  /** Starts what is due, as long as its lane has a free place. @param onFree called when a place becomes free */
  async look(onFree: () => void): Promise<void> {
    // While the database was away no run could renew its lease: those of this process are alive all the same.
    const alive = [...this.#running.values()].map(({ task }) => task.lease);
    await reviveLostWork(this.#ctx, alive);
    for (const lane of taskLanes) await this.#fill(lane, onFree);
  }

  async #fill(lane: TaskLane, onFree: () => void): Promise<void> {
    const { handlers, places } = this.#options;
    const claim = { lane, types: Object.keys(handlers), mostOfAccount: placesOfAccount(places[lane]) };
    while (!this.#closed && this.#runningIn(lane) < places[lane]) {
      const task = await claimTask(this.#ctx, claim);
      if (!task) return;
      const estimate = new WorkEstimate(this.#ctx.clock, task.progress ?? 0);
      const current: Run = { task, ending: new AbortController(), estimate };
      const run = this.#run(current).finally(() => {
        this.#running.delete(run);
        if (!this.#closed) onFree();
      });
      this.#running.set(run, current);
    }
  }

  #runningIn(lane: TaskLane): number {
    return [...this.#running.values()].filter(({ task }) => task.lane === lane).length;
  }

  /** Waits for what runs now. @returns how many tasks that were */
  async settled(): Promise<number> {
    const runs = [...this.#running.keys()];
    await Promise.all(runs);
    return runs.length;
  }

  /** Running tasks are given back; another process, or the next, goes on with them. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { ending } of this.#running.values()) ending.abort(new TaskReleased());
    await this.settled();
  }

  async #run(run: Run): Promise<void> {
    const { task, ending, estimate } = run;
    const { log, settings } = this.#ctx;
    const scratch = join(scratchFolder(settings.dataDir), task.id);
    const alive = every(this.#options.renewMs, 'task', log, () =>
      reportWork(this.#ctx, task, estimate.report()).catch((error: unknown) => {
        if (!(error instanceof LostTurn)) throw error;
        ending.abort(error);
      }),
    );
    try {
      await beginWork(this.#ctx, task);
      await mkdir(scratch, { recursive: true });
      const { handlers, egress } = this.#options;
      const handler = handlers[task.type];
      if (!handler) throw new TaskFailure(`unknown task type ${task.type}`);
      const report = (progress: number) => estimate.reached(progress);
      const giveWay = () => this.#giveWay(run);
      ending.signal.throwIfAborted();
      await handler({ ctx: this.#ctx, egress, task, signal: ending.signal, scratch, report, giveWay });
      log.info({ taskId: task.id, type: task.type }, 'task completed');
      await rm(scratch, { recursive: true, force: true });
    } catch (error) {
      await this.#afterError(task, ending.signal.aborted ? ending.signal.reason : error, scratch);
    } finally {
      await alive.close();
    }
  }

  async #giveWay({ task, estimate }: Run): Promise<void> {
    let overtaken = false;
    try {
      await reportWork(this.#ctx, task, estimate.report());
      overtaken = await isOvertaken(this.#ctx, task, taskLaneOf(task.lane));
    } catch (error) {
      if (error instanceof LostTurn) throw error;
      // Without the database nobody can take the place.
      this.#ctx.log.warn({ err: error, taskId: task.id }, 'due task lookup failed');
    }
    if (overtaken) throw new TaskReleased();
  }

  async #afterError(task: ClaimedTask, error: unknown, scratch: string): Promise<void> {
    const { log } = this.#ctx;
    try {
      if (error instanceof TaskReleased) await releaseWork(this.#ctx, task, error.change);
      else if (error instanceof TaskFailure) await failWork(this.#ctx, task, error.message);
      else if (!(error instanceof LostTurn)) {
        const interruption = explainFailure(error);
        const { cause } = interruption;
        log.warn({ err: error, taskId: task.id, type: task.type, cause }, 'task interrupted');
        await interruptWork(this.#ctx, task, interruption);
      }
      // A run that goes on elsewhere, or later, needs what this one has made so far.
      if (await isUnfinishedTask(this.#ctx, task.id)) return;
      await rm(scratch, { recursive: true, force: true });
    } catch (failed) {
      // Its lease runs out, and it is found by that.
      log.warn({ err: failed, taskId: task.id }, 'task result not written');
    }
  }
}
