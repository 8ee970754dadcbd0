export { cancelTasksFor } from './cancel-tasks-for';
export { claimTask, isOvertaken, type ClaimedTask, type TaskTurn } from './claim-task';
export { createTask, type NewTask } from './create-task';
export { failTasksFor, queueTasksFor } from './end-tasks-for';
export { getTask } from './get-task';
export { isUnfinishedTask } from './is-unfinished-task';
export { type AccountTransaction } from './internal';
export { listTasks } from './list-tasks';
export {
  completeTask,
  failTask,
  findLostTurns,
  interruptTask,
  releaseTask,
  renewTask,
  type TaskInterruption,
  type TaskRelease,
  type TaskReport,
} from './run-task';
export { serializeTask } from './serialize';
export { takeTurn } from './take-turn';
export { tellTask } from './tell-task';
