import type { WorkerContext } from '@/lib/domain/context';
import type { QueueName } from '@/lib/contract/jobs';
import { taskLanes, type TaskLane } from '@/lib/core/tasks/task-lanes';
import type { JobQueues } from '@/lib/infra/queue/queue';
import { listDueTasks, planTasks, type LaneSlots, type PlannedTask } from '@/lib/domain/tasks';
import type { JobHandlers } from '@/media-worker/kit/process/workers';
import type { AddJobs } from '@/media-worker/kit/process/job-notifications';
import type { TaskRuns } from './task-runs';

/** Each lane has its own queue, with the lane's slots as its concurrency. */
const queueOf = {
  transfer: 'transfers',
  local: 'tasks',
  encode: 'encodings',
} as const satisfies Readonly<Record<TaskLane, QueueName>>;

export function createTaskHandlers(runs: TaskRuns): JobHandlers {
  return Object.fromEntries(taskLanes.map((lane) => [queueOf[lane], runs.handler(lane)]));
}

/**
 * Creates the functions that add one job to the queue of its lane for each task that may run. A job is delayed until the time
 * at which its task is due.
 */
export function createTaskJobs(
  ctx: WorkerContext,
  queues: Pick<JobQueues, 'enqueue' | 'wake'>,
  slots: LaneSlots,
): AddJobs {
  const enqueueAll = async (tasks: readonly PlannedTask[]) => {
    // Jobs are added in order of priority, because a free worker takes the first one.
    const tasksByPriority = tasks.toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
    for (const { taskId, attempt, lane, delayMs, priority } of tasksByPriority) {
      const options = { jobId: `${taskId}-${attempt}`, delayMs, ...(priority === null ? {} : { priority }) };
      await queues.enqueue(queueOf[lane], { taskId, attempt }, options);
    }
  };
  return {
    addFor: async (ids) => enqueueAll(await planTasks(ctx, slots, ids)),
    addAll: async () => {
      const dueTasks = await listDueTasks(ctx, slots);
      await enqueueAll(dueTasks);
      for (const lane of new Set(dueTasks.map((task) => task.lane))) await queues.wake(queueOf[lane]);
    },
  };
}
