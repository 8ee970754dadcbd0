import type { WorkerContext } from '@/lib/context';
import type { QueueName } from '@/lib/contract/jobs';
import { taskLanes, type TaskLane } from '@/lib/core/tasks/task-lanes';
import type { JobQueues } from '@/lib/infra/queue/queue';
import { listDueTasks, planTasks, type LanePlaces, type PlannedTask } from '@/lib/tasks';
import type { JobHandlers } from '../process/workers';
import type { AddJobs } from '@/media-worker/process/nudges';
import type { TaskRuns } from './task-runs';

/** Each lane has a queue of its own, with as many places as the lane. */
const queueOf = {
  transfer: 'transfers',
  local: 'tasks',
  encode: 'encodings',
} as const satisfies Readonly<Record<TaskLane, QueueName>>;

/** Works on the queues of tasks. */
export function taskHandlers(runs: TaskRuns): JobHandlers {
  return Object.fromEntries(taskLanes.map((lane) => [queueOf[lane], runs.handler(lane)]));
}

/** One job of each run that may begin, at the time its row says. */
export function taskJobs(
  ctx: WorkerContext,
  queues: Pick<JobQueues, 'enqueue' | 'wake'>,
  places: LanePlaces,
): AddJobs {
  const add = async (tasks: readonly PlannedTask[]) => {
    // What should run first is added first: a free worker takes what is there.
    const inOrder = tasks.toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
    for (const { taskId, attempt, lane, delayMs, priority } of inOrder) {
      const options = { jobId: `${taskId}-${attempt}`, delayMs, ...(priority === null ? {} : { priority }) };
      await queues.enqueue(queueOf[lane], { taskId, attempt }, options);
    }
  };
  return {
    some: async (ids) => add(await planTasks(ctx, places, ids)),
    all: async () => {
      const due = await listDueTasks(ctx, places);
      await add(due);
      for (const lane of new Set(due.map((task) => task.lane))) await queues.wake(queueOf[lane]);
    },
  };
}
