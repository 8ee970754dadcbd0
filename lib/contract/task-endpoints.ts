import { z } from 'zod';
import { taskId, uploadTask } from './asset-examples';
import { defineEndpoint } from './define-endpoint';
import { idParams } from './primitives';
import { listTasksQuery, task } from './task';

export const listTasks = defineEndpoint({
  id: 'listTasks',
  method: 'GET',
  path: '/api/task',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Tasks',
  summary: 'List tasks',
  description: 'Tasks of the account, the most recent first.',
  query: listTasksQuery,
  response: z.array(task),
  list: true,
  status: 200,
  errors: [400],
  example: { response: [uploadTask] },
});

export const getTask = defineEndpoint({
  id: 'getTask',
  method: 'GET',
  path: '/api/task/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  tag: 'Tasks',
  summary: 'Retrieve a task',
  description: 'Progress of a task, its output, or why it failed.',
  params: idParams,
  response: task,
  status: 200,
  errors: [],
  example: { params: { id: taskId }, response: uploadTask },
});

export const retryTask = defineEndpoint({
  id: 'retryTask',
  method: 'POST',
  path: '/api/task/{id}/retry',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Tasks',
  summary: 'Retry a failed task',
  description:
    'Creates a new task with the same params for the same asset, which becomes `processing` again. The task must be failed or cancelled and its input must still exist: an uploaded file is kept for seven days after a failure.',
  params: idParams,
  response: task,
  status: 201,
  errors: [422],
  example: { params: { id: taskId }, response: uploadTask },
});

export const cancelTask = defineEndpoint({
  id: 'cancelTask',
  method: 'POST',
  path: '/api/task/{id}/cancel',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Tasks',
  summary: 'Cancel a task',
  description: 'Its output asset becomes `failed`. A finished task cannot be cancelled.',
  params: idParams,
  response: task,
  status: 200,
  errors: [422],
  example: {
    params: { id: taskId },
    response: { ...uploadTask, status: { ...uploadTask.status, phase: 'cancelled' } },
  },
});
