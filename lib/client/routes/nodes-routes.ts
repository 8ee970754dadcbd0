import type * as nodeContract from '@/lib/contract/nodes/node';
import type { Route } from './route';

export const listNodes: Route<typeof nodeContract.listNodes> = { method: 'GET', path: '/api/admin/nodes' };
export const updateNode: Route<typeof nodeContract.updateNode> = {
  method: 'PATCH',
  path: '/api/admin/nodes/{id}',
  sendsBody: true,
};
