import type * as multistreamContract from '@/lib/contract/targets/multistream';
import type * as targetTestContract from '@/lib/contract/targets/target-test';
import type { Route } from './route';

export const createTarget: Route<typeof multistreamContract.createTarget> = {
  method: 'POST',
  path: '/api/multistream/target',
  sendsBody: true,
};
export const deleteTarget: Route<typeof multistreamContract.deleteTarget> = {
  method: 'DELETE',
  path: '/api/multistream/target/{id}',
};
export const getStreamMultistream: Route<typeof multistreamContract.getStreamMultistream> = {
  method: 'GET',
  path: '/api/stream/{id}/multistream',
};
export const getTarget: Route<typeof multistreamContract.getTarget> = {
  method: 'GET',
  path: '/api/multistream/target/{id}',
};
export const listTargets: Route<typeof multistreamContract.listTargets> = {
  method: 'GET',
  path: '/api/multistream/target',
};
export const testTarget: Route<typeof targetTestContract.testTarget> = {
  method: 'POST',
  path: '/api/multistream/target/{id}/test',
};
export const testTargetUrl: Route<typeof targetTestContract.testTargetUrl> = {
  method: 'POST',
  path: '/api/multistream/target/test',
  sendsBody: true,
};
export const updateTarget: Route<typeof multistreamContract.updateTarget> = {
  method: 'PATCH',
  path: '/api/multistream/target/{id}',
  sendsBody: true,
};
