import type { WorkerContext } from '@/lib/domain/context';
import type { LaneSlots } from '@/lib/domain/tasks';
import { openQueues } from '@/lib/infra/queue/queue';
import { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { startWorkers } from '@/media-worker/kit/process/workers';
import { startJobNotifications } from '@/media-worker/kit/process/job-notifications';
import type { TaskHandler } from '@/media-worker/vod/tasks/task-job';
import { createTaskHandlers, createTaskJobs } from '@/media-worker/vod/tasks/task-jobs';
import { createTestRuns } from './run-tasks';

/** Starts the workers of the task queues as the jobs role does. */
export function startTaskWorkers(
  ctx: WorkerContext,
  handlers: Readonly<Record<string, TaskHandler>>,
  slots: LaneSlots,
  reportMs = 50,
) {
  const { runs, closeEgress } = createTestRuns(ctx, handlers, { slots, reportMs });
  const lifecycle = new Lifecycle(ctx.log);
  lifecycle.own('egress', closeEgress);
  const queues = openQueues(ctx.settings, ctx.log);
  lifecycle.own('queues', () => queues.close(), 5_000);
  const workers = startWorkers(ctx.settings, queues, createTaskHandlers(runs), ctx.log);
  lifecycle.own('workers', () => workers.close(), 10_000);
  lifecycle.own('tasks', () => runs.close(), 10_000);
  startJobNotifications(ctx, lifecycle, 'task_changed', createTaskJobs(ctx, queues, slots), (id) =>
    runs.checkTask(id),
  );
  return { queues, close: () => lifecycle.close() };
}
