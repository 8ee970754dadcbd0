export { cancelTask } from './cancel-task';
export { cancelTasksFor, failTasksFor, queueTasksFor } from './end-tasks-for';
export { startTask, isBehindInQueue, type RunningTask, type TaskRun } from './start-task';
export { createTask, type NewTask } from './create-task';
export { getTask, isUnfinishedTask, listTasks } from './get-task';
export { listDueTasks, planTasks, type LaneSlots, type PlannedTask } from './plan-tasks';
export {
  completeTask,
  failTask,
  interruptTask,
  releaseTask,
  reportTask,
  type TaskInterruption,
  type TaskRelease,
  type TaskReport,
} from './run-task';
export { retryTask } from './retry-task';
export { serializeTask } from './serialize';
export { lockTeam } from './lock-team';
export { emitTaskEvent } from './emit-task-event';
