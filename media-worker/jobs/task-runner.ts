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
import type { Egress } from '@/lib/infra/egress';
import { claimTask, type ClaimedTask } from '@/lib/tasks';
import { every } from '../every';
import { explainFailure } from './explain-failure';
import { TaskFailure, type TaskHandler } from './task-job';
import { WorkEstimate } from './work-estimate';

export interface TaskRunnerOptions {
  readonly egress: Egress;
  /** By the type of task; it works on these types alone. */
  readonly handlers: Readonly<Record<string, TaskHandler>>;
  /** Tasks at the same moment. */
  readonly concurrency: number;
  /** How often a running task says that it is alive, and how far it is. */
  readonly renewMs?: number;
}

/** Why a run ends before its task does. */
class Ending extends Error {
  override readonly name = 'Ending';
}

export const scratchFolder = (dataDir: string): string => join(dataDir, 'scratch');

/** Works on tasks whose row says that they are due. The row is the truth: nothing is remembered here. */
export class TaskRunner {
  readonly #ctx: WorkerContext;
  readonly #options: Required<TaskRunnerOptions>;
  readonly #running = new Map<Promise<void>, AbortController>();
  #closed = false;

  constructor(ctx: WorkerContext, { renewMs = 2_000, ...options }: TaskRunnerOptions) {
    this.#ctx = ctx;
    this.#options = { ...options, renewMs };
  }

  /** Starts what is due, as long as there is a free place. @param onFree called when a place becomes free */
  async look(onFree: () => void): Promise<void> {
    await reviveLostWork(this.#ctx);
    while (!this.#closed && this.#running.size < this.#options.concurrency) {
      const task = await claimTask(this.#ctx, Object.keys(this.#options.handlers));
      if (!task) return;
      const ending = new AbortController();
      const run = this.#run(task, ending).finally(() => {
        this.#running.delete(run);
        if (!this.#closed) onFree();
      });
      this.#running.set(run, ending);
    }
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
    for (const ending of this.#running.values()) ending.abort(new Ending('the worker ends'));
    await this.settled();
  }

  async #run(task: ClaimedTask, ending: AbortController): Promise<void> {
    const { log, settings, clock } = this.#ctx;
    const scratch = join(scratchFolder(settings.dataDir), task.id);
    const estimate = new WorkEstimate(clock, task.progress ?? 0);
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
      if (!handler) throw new TaskFailure(`tasks of type ${task.type} are not known here`);
      const report = (progress: number) => estimate.reached(progress);
      ending.signal.throwIfAborted();
      await handler({ ctx: this.#ctx, egress, task, signal: ending.signal, scratch, report });
      log.info({ taskId: task.id, type: task.type }, 'task completed');
      await rm(scratch, { recursive: true, force: true });
    } catch (error) {
      await this.#afterError(task, ending.signal.aborted ? ending.signal.reason : error, scratch);
    } finally {
      await alive.close();
    }
  }

  async #afterError(task: ClaimedTask, error: unknown, scratch: string): Promise<void> {
    const { log } = this.#ctx;
    try {
      if (error instanceof Ending) await releaseWork(this.#ctx, task);
      else if (error instanceof TaskFailure) await failWork(this.#ctx, task, error.message);
      else if (!(error instanceof LostTurn)) {
        log.warn({ err: error, taskId: task.id, type: task.type }, 'task interrupted');
        await interruptWork(this.#ctx, task, { reason: explainFailure(error) });
      }
      // Only a run that goes on elsewhere, or later, needs what this one has made so far.
      const final = error instanceof TaskFailure || error instanceof LostTurn;
      if (final) await rm(scratch, { recursive: true, force: true });
    } catch (failed) {
      // Its lease runs out, and it is found by that.
      log.warn({ err: failed, taskId: task.id }, 'the end of a task could not be written down');
    }
  }
}
