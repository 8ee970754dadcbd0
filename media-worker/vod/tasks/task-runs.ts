import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  startProcessing,
  failProcessing,
  interruptProcessing,
  releaseProcessing,
  reportProcessing,
  retryAfterWorkerDeath,
  RunLostError,
} from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { slotsPerTeam, parseTaskLane, type TaskLane } from '@/lib/core/tasks/task-lanes';
import type { Egress } from '@/lib/infra/egress/egress';
import { failSpan, runInSpan } from '@/lib/infra/tracing';
import { metrics } from '@/lib/infra/metrics/metrics';
import {
  startTask,
  isBehindInQueue,
  isUnfinishedTask,
  type LaneSlots,
  type RunningTask,
} from '@/lib/domain/tasks';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import type { JobHandler } from '@/media-worker/kit/process/workers';
import { explainFailure } from './explain-failure';
import { TaskFailure, TaskReleased, type TaskHandler } from './task-job';
import { WorkEstimate } from './work-estimate';

export interface TaskRunsOptions {
  readonly egress: Egress;
  readonly handlers: Readonly<Record<string, TaskHandler>>;
  /** Concurrent tasks per lane. */
  readonly slots: LaneSlots;
  /** Interval at which a running task reports its progress. */
  readonly reportIntervalMs?: number;
}

/** A run of a task in this process. */
interface TaskRun {
  readonly task: RunningTask;
  readonly ending: AbortController;
  readonly estimate: WorkEstimate;
}

type TaskOutcome = 'completed' | 'failed' | 'interrupted' | 'released' | 'lost';

/** The outcome of a run that did not complete its task. */
function outcomeOf(error: unknown): TaskOutcome {
  if (error instanceof TaskReleased) return 'released';
  if (error instanceof TaskFailure) return 'failed';
  return error instanceof RunLostError ? 'lost' : 'interrupted';
}

/** The folder of temporary files, below the data folder. */
export const scratchFolder = (dataDir: string): string => join(dataDir, 'scratch');

/** Runs the tasks of jobs. The rows decide which run may start and which may write. */
export class TaskRuns {
  readonly #ctx: WorkerContext;
  readonly #options: Required<TaskRunsOptions>;
  /** Promises that resolve when the last run of a task in this process has ended, by task id. */
  readonly #runEnds = new Map<string, Promise<void>>();
  /** Functions that check whether a run still owns its row, by task id. */
  readonly #checks = new Map<string, () => void>();
  readonly #closing = new AbortController();

  constructor(ctx: WorkerContext, { reportIntervalMs = 2_000, ...options }: TaskRunsOptions) {
    this.#ctx = ctx;
    this.#options = { ...options, reportIntervalMs };
  }

  /** The job handler of a lane's queue. */
  handler(lane: TaskLane): JobHandler<'tasks'> {
    const concurrency = this.#options.slots[lane];
    return {
      concurrency,
      run: ({ taskId: id, attempt }, signal) =>
        this.#runAfterEarlierRuns(id, async () => {
          const task = await startTask(this.#ctx, { id, attempt }, slotsPerTeam(concurrency));
          if (task) await runInTaskSpan(task, () => this.#run(task, signal));
          else await retryAfterWorkerDeath(this.#ctx, { id, attempt });
        }),
    };
  }

  /** Checks a changed task: if it was cancelled, its run stops. */
  checkTask(id: string): void {
    this.#checks.get(id)?.();
  }

  /** Releases running tasks: another process, or the next one, continues them. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#runEnds.values());
  }

  /**
   * Waits for earlier runs of the same task in this process. After an outage longer than the lock of a job, the queue
   * delivers the job again while its first run continues; the second run then starts after the first, and finds no
   * work.
   */
  #runAfterEarlierRuns(id: string, work: () => Promise<void>): Promise<void> {
    const run = (this.#runEnds.get(id) ?? Promise.resolve()).then(work);
    const end = run
      .catch(() => undefined)
      .finally(() => {
        if (this.#runEnds.get(id) === end) this.#runEnds.delete(id);
      });
    this.#runEnds.set(id, end);
    return run;
  }

  /** @param leaseSignal aborts if this worker lost the lease of the job */
  async #run(task: RunningTask, leaseSignal: AbortSignal): Promise<void> {
    const startedAt = this.#ctx.clock.monotonic();
    let outcome: TaskOutcome = 'completed';
    const estimate = new WorkEstimate(this.#ctx.clock, task.progress ?? 0);
    const taskRun: TaskRun = { task, estimate, ending: new AbortController() };
    const { ending } = taskRun;
    const report = runPeriodically(this.#options.reportIntervalMs, 'task', this.#ctx.log, () =>
      reportProcessing(this.#ctx, task, estimate.report()).catch((error: unknown) => {
        if (!(error instanceof RunLostError)) throw error;
        ending.abort(error);
      }),
    );
    const reportNow = () => report.runNow();
    const release = () => ending.abort(new TaskReleased());
    this.#checks.set(task.id, reportNow);
    // The row has changed if another worker got the job.
    leaseSignal.addEventListener('abort', reportNow);
    if (leaseSignal.aborted) reportNow();
    this.#closing.signal.addEventListener('abort', release);
    if (this.#closing.signal.aborted) release();
    const scratch = join(scratchFolder(this.#ctx.settings.dataDir), task.id);
    try {
      await this.#runHandler(taskRun, scratch);
    } catch (error) {
      const reason: unknown = ending.signal.aborted ? ending.signal.reason : error;
      outcome = outcomeOf(reason);
      await this.#handleError(task, reason, scratch);
    } finally {
      leaseSignal.removeEventListener('abort', reportNow);
      this.#closing.signal.removeEventListener('abort', release);
      this.#checks.delete(task.id);
      await report.close();
      const seconds = (this.#ctx.clock.monotonic() - startedAt) / 1_000;
      metrics.taskDuration.observe({ type: task.type, outcome }, seconds);
    }
  }

  async #runHandler(taskRun: TaskRun, scratch: string): Promise<void> {
    const { task, estimate } = taskRun;
    const { signal } = taskRun.ending;
    await startProcessing(this.#ctx, task);
    await mkdir(scratch, { recursive: true });
    const { handlers, egress } = this.#options;
    const handler = handlers[task.type];
    if (!handler) throw new TaskFailure(`unknown task type ${task.type}`);
    const report = (progress: number) => estimate.setProgress(progress);
    const yieldSlot = () => this.#yieldSlot(taskRun);
    signal.throwIfAborted();
    const ctx = { ...this.#ctx, log: this.#ctx.log.child({ taskId: task.id }) };
    await handler({ ctx, egress, task, signal, scratch, report, yieldSlot });
    this.#ctx.log.info({ taskId: task.id, type: task.type }, 'task completed');
    await rm(scratch, { recursive: true, force: true });
  }

  async #yieldSlot({ task, estimate }: TaskRun): Promise<void> {
    let isBehind = false;
    try {
      await reportProcessing(this.#ctx, task, estimate.report());
      isBehind = await isBehindInQueue(this.#ctx, task, parseTaskLane(task.lane));
    } catch (error) {
      if (error instanceof RunLostError) throw error;
      // Without the database, no other task can take the slot.
      this.#ctx.log.warn({ err: error, taskId: task.id }, 'failed to check for due tasks');
    }
    if (isBehind) throw new TaskReleased();
  }

  /**
   * Stores how a run ended without completing its task.
   * @throws errors of the database: the job then runs again, and finds a run without a worker
   */
  async #handleError(task: RunningTask, error: unknown, scratch: string): Promise<void> {
    if (error instanceof TaskReleased) await releaseProcessing(this.#ctx, task, error.change);
    else if (error instanceof TaskFailure) {
      failSpan(error.message);
      await failProcessing(this.#ctx, task, error.message);
    } else if (!(error instanceof RunLostError)) {
      const interruption = explainFailure(error);
      const { cause } = interruption;
      failSpan(cause);
      this.#ctx.log.warn({ err: error, taskId: task.id, type: task.type, cause }, 'task interrupted');
      await interruptProcessing(this.#ctx, task, interruption);
    }
    // Scratch files of a task that continues elsewhere or later are kept.
    if (await isUnfinishedTask(this.#ctx, task.id)) return;
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Runs `work` in the trace of the request that created the task. */
function runInTaskSpan(task: RunningTask, work: () => Promise<void>): Promise<void> {
  const { id, type, attempt, traceparent: parent } = task;
  const attributes = { 'headwater.task_id': id, 'headwater.task_type': type, 'headwater.attempt': attempt };
  return runInSpan(`task ${type}`, { kind: 'consumer', parent, attributes }, work);
}
