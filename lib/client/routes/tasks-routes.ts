import type * as taskContract from '@/lib/contract/tasks/task';
import type { Route } from './route';

export const cancelTask: Route<typeof taskContract.cancelTask> = {
  method: 'POST',
  path: '/api/task/{id}/cancel',
};
export const getTask: Route<typeof taskContract.getTask> = { method: 'GET', path: '/api/task/{id}' };
export const listTasks: Route<typeof taskContract.listTasks> = { method: 'GET', path: '/api/task' };
export const retryTask: Route<typeof taskContract.retryTask> = {
  method: 'POST',
  path: '/api/task/{id}/retry',
  sendsBody: true,
};
