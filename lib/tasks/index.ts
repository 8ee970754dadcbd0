export { cancelTask } from './cancel-task';
export { cancelTasksFor } from './cancel-tasks-for';
export { beginTask, isOvertaken, type RunningTask, type TaskRun } from './begin-task';
export { createTask, type NewTask } from './create-task';
export { failTasksFor, queueTasksFor } from './end-tasks-for';
export { getTask } from './get-task';
export { isUnfinishedTask } from './is-unfinished-task';
export { type AccountTransaction } from './internal';
export { listTasks } from './list-tasks';
export { listDueTasks, planTasks, type LanePlaces, type PlannedTask } from './plan-tasks';
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
export { takeTurn } from './take-turn';
export { tellTask } from './tell-task';
