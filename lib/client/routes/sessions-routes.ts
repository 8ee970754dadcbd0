import type * as sessionContract from '@/lib/contract/sessions/session';
import type { Route } from './route';

export const getSession: Route<typeof sessionContract.getSession> = {
  method: 'GET',
  path: '/api/session/{id}',
};
export const listSessions: Route<typeof sessionContract.listSessions> = {
  method: 'GET',
  path: '/api/session',
};
