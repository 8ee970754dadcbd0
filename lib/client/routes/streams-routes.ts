import type * as playbackContract from '@/lib/contract/streams/playback';
import type * as programEndpointsContract from '@/lib/contract/streams/program-endpoints';
import type * as pullEndpointsContract from '@/lib/contract/streams/pull-endpoints';
import type * as slatePictureContract from '@/lib/contract/streams/slate-picture';
import type * as streamEndpointsContract from '@/lib/contract/streams/stream-endpoints';
import type * as streamHealthContract from '@/lib/contract/streams/stream-health';
import type * as testPatternContract from '@/lib/contract/streams/test-pattern';
import type * as viewersContract from '@/lib/contract/streams/viewers';
import type { Route } from './route';

export const addStreamTarget: Route<typeof streamEndpointsContract.addStreamTarget> = {
  method: 'POST',
  path: '/api/stream/{id}/create-multistream-target',
  sendsBody: true,
};
export const createStream: Route<typeof streamEndpointsContract.createStream> = {
  method: 'POST',
  path: '/api/stream',
  sendsBody: true,
};
export const deleteSlatePicture: Route<typeof slatePictureContract.deleteSlatePicture> = {
  method: 'DELETE',
  path: '/api/stream/{id}/slate-picture',
};
export const deleteStream: Route<typeof streamEndpointsContract.deleteStream> = {
  method: 'DELETE',
  path: '/api/stream/{id}',
};
export const getPlayback: Route<typeof playbackContract.getPlayback> = {
  method: 'GET',
  path: '/api/playback/{id}',
};
export const getStream: Route<typeof streamEndpointsContract.getStream> = {
  method: 'GET',
  path: '/api/stream/{id}',
};
export const getStreamHealth: Route<typeof streamHealthContract.getStreamHealth> = {
  method: 'GET',
  path: '/api/stream/{id}/health',
};
export const getStreamViewers: Route<typeof viewersContract.getStreamViewers> = {
  method: 'GET',
  path: '/api/stream/{id}/viewers',
};
export const getTestPattern: Route<typeof testPatternContract.getTestPattern> = {
  method: 'GET',
  path: '/api/dashboard/streams/{id}/test-pattern',
};
export const listStreams: Route<typeof streamEndpointsContract.listStreams> = {
  method: 'GET',
  path: '/api/stream',
};
export const listViewers: Route<typeof viewersContract.listViewers> = { method: 'GET', path: '/api/viewers' };
export const requestSlatePictureUpload: Route<typeof slatePictureContract.requestSlatePictureUpload> = {
  method: 'POST',
  path: '/api/stream/{id}/slate-picture',
};
export const rotateStreamKey: Route<typeof streamEndpointsContract.rotateStreamKey> = {
  method: 'POST',
  path: '/api/stream/{id}/rotate-key',
  sendsBody: true,
};
export const setStreamRecord: Route<typeof streamEndpointsContract.setStreamRecord> = {
  method: 'PATCH',
  path: '/api/stream/{id}/record',
  sendsBody: true,
};
export const setTestPattern: Route<typeof testPatternContract.setTestPattern> = {
  method: 'PUT',
  path: '/api/dashboard/streams/{id}/test-pattern',
  sendsBody: true,
};
export const startPull: Route<typeof pullEndpointsContract.startPull> = {
  method: 'POST',
  path: '/api/stream/{id}/start-pull',
};
export const switchStream: Route<typeof programEndpointsContract.switchStream> = {
  method: 'POST',
  path: '/api/stream/{id}/switch',
  sendsBody: true,
};
export const terminateStream: Route<typeof streamEndpointsContract.terminateStream> = {
  method: 'DELETE',
  path: '/api/stream/{id}/terminate',
};
export const updateStream: Route<typeof streamEndpointsContract.updateStream> = {
  method: 'PATCH',
  path: '/api/stream/{id}',
  sendsBody: true,
};
