export { cancelTask } from './cancel-task';
export { cancelTasksFor, failTasksFor, queueTasksFor } from './end-tasks-for';
export { beginTask, isOvertaken, type RunningTask, type TaskRun } from './begin-task';
export { createTask, type NewTask } from './create-task';
export { getTask, isUnfinishedTask, listTasks } from './get-task';
export { type AccountTransaction } from './internal';
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
