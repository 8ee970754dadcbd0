export { cancelTasksFor } from './cancel-tasks-for';
export { createTask } from './create-task';
export { failTasksFor, queueTasksFor } from './end-tasks-for';
export { getTask } from './get-task';
export { type AccountTransaction } from './internal';
export { listTasks } from './list-tasks';
export { serializeTask } from './serialize';
export { takeTurn } from './take-turn';
