export { cancelTask } from './cancel-task';
// Tasks that produce an asset, when the asset is deleted, fails or has been uploaded.
export { cancelTasksOfAssets, failTasksOfAsset, queueImportOfAsset } from './tasks-of-asset';
// `TaskRun` is the id and attempt of a run; `RunningTask` is the row of a task whose run has started.
export { startTask, isBehindInQueue, type RunningTask, type TaskRun } from './start-task';
export { createTask, type NewTask } from './create-task';
export { getTask, isUnfinishedTask, listTasks } from './get-task';
export { listDueTasks, planTasks, type LaneSlots, type PlannedTask } from './plan-tasks';
// The ends of a run: `completeTask` and `failTask` are final; `interruptTask` retries after a failure of a server or disk;
// `releaseTask` returns the task without a failure. `cancelTask` is the decision of a person, in any unfinished phase.
export {
  completeTask,
  failTask,
  interruptTask,
  releaseTask,
  reportTaskProgress,
  type TaskInterruption,
  type TaskRelease,
  type TaskProgress,
} from './run-task';
export { retryTask } from './retry-task';
export { serializeTask } from './serialize';
export { lockTeam } from './lock-team';
export { emitTaskEvent } from './emit-task-event';
