import type { WorkerContext } from '@/lib/domain/context';
import { listDueStoryboards } from '@/lib/domain/assets';
import { taskLanes, type TaskLane } from '@/lib/core/tasks/task-lanes';
import { openEgress } from '@/lib/infra/egress/egress';
import { systemResolve } from '@/lib/infra/egress/own-addresses';
import { listDueTasks, type LaneSlots, type PlannedTask } from '@/lib/domain/tasks';
import { makeStoryboardOf } from '@/media-worker/vod/import/make-storyboards';
import type { TaskHandler } from '@/media-worker/vod/tasks/task-job';
import { TaskRuns } from '@/media-worker/vod/tasks/task-runs';

/** Allows loopback, where remote servers of tests listen. */
const allowCidrs = ['127.0.0.1/32'];
const oneSlot: LaneSlots = { transfer: 1, local: 1, encode: 1 };

interface Options {
  readonly slots?: LaneSlots;
  readonly reportMs?: number;
  readonly resolve?: typeof systemResolve;
}

/** Creates the task runs of the service, with connections to loopback addresses allowed. */
export function createTestRuns(
  ctx: WorkerContext,
  handlers: Readonly<Record<string, TaskHandler>>,
  { slots = oneSlot, reportMs = 50, resolve = systemResolve }: Options = {},
) {
  const egress = openEgress({ allowCidrs, resolve });
  const runs = new TaskRuns(ctx, { egress, handlers, slots, reportIntervalMs: reportMs });
  return { runs, slots, closeEgress: () => egress.close() };
}

/**
 * Runs tasks in the order of their jobs, without a queue: `drain` until no task is due, `once` only the tasks that
 * are due now. On a busy machine a retried task may be due again before `drain` returns.
 */
export function createTaskRunner(
  ctx: WorkerContext,
  handlers: Readonly<Record<string, TaskHandler>>,
  options: Options = {},
) {
  const { runs, slots, closeEgress } = createTestRuns(ctx, handlers, options);

  /** Runs a task as its job would, including a started task that lost its worker. */
  const run = (
    lane: TaskLane,
    { taskId, attempt }: Pick<PlannedTask, 'taskId' | 'attempt'>,
    leaseSignal = new AbortController().signal,
  ) => runs.handler(lane).run({ taskId, attempt }, leaseSignal);
  /** Order in which tasks became due, as the queue serves jobs of equal priority. */
  const dueOrder = new Map<string, number>();
  const orderOf = ({ taskId }: PlannedTask) => {
    const position = dueOrder.get(taskId) ?? dueOrder.size;
    dueOrder.set(taskId, position);
    return position;
  };
  const listRunnableTasks = async (): Promise<PlannedTask[]> => {
    const dueTasks = (await listDueTasks(ctx, slots)).filter(({ priority }) => priority !== null);
    const ids = dueTasks.map(({ taskId }) => taskId);
    const types = Object.keys(handlers);
    const taskRows = await ctx.db.task.findMany({ where: { id: { in: ids }, type: { in: types } } });
    return dueTasks
      .filter(({ taskId }) => taskRows.some(({ id }) => id === taskId))
      .map((task) => ({ ...task, order: orderOf(task) }))
      .sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0) || a.order - b.order);
  };
  const once = async (): Promise<number> => {
    const runnableTasks = await listRunnableTasks();
    const runCounts = taskLanes.map(async (lane) => {
      const tasks = runnableTasks.filter((task) => task.lane === lane).slice(0, slots[lane]);
      await Promise.all(tasks.map((task) => run(lane, task)));
      return tasks.length;
    });
    return (await Promise.all(runCounts)).reduce((sum, count) => sum + count, 0);
  };
  const drain = async () => {
    while ((await once()) > 0);
  };
  const close = async () => {
    await runs.close();
    await closeEgress();
  };
  return { runs, run, drain, once: async () => void (await once()), close };
}

/** Creates all storyboards that are due. */
export async function makeDueStoryboards(ctx: WorkerContext): Promise<void> {
  const { signal } = new AbortController();
  for (const { assetId } of await listDueStoryboards(ctx)) await makeStoryboardOf(ctx, assetId, signal);
}
