import type * as playbackTokenContract from '@/lib/contract/access/playback-token';
import type * as previewContract from '@/lib/contract/access/preview';
import type * as signingKeyContract from '@/lib/contract/access/signing-key';
import type { Route } from './route';

export const createPlaybackToken: Route<typeof playbackTokenContract.createPlaybackToken> = {
  method: 'POST',
  path: '/api/playback/{id}/token',
  sendsBody: true,
};
export const createSigningKey: Route<typeof signingKeyContract.createSigningKey> = {
  method: 'POST',
  path: '/api/access-control/signing-key',
  sendsBody: true,
};
export const deleteSigningKey: Route<typeof signingKeyContract.deleteSigningKey> = {
  method: 'DELETE',
  path: '/api/access-control/signing-key/{id}',
};
export const getAssetPreview: Route<typeof previewContract.getAssetPreview> = {
  method: 'GET',
  path: '/api/dashboard/assets/{id}/preview',
};
export const getStreamPreview: Route<typeof previewContract.getStreamPreview> = {
  method: 'GET',
  path: '/api/dashboard/streams/{id}/preview',
};
export const listSigningKeys: Route<typeof signingKeyContract.listSigningKeys> = {
  method: 'GET',
  path: '/api/access-control/signing-key',
};
export const updateSigningKey: Route<typeof signingKeyContract.updateSigningKey> = {
  method: 'PATCH',
  path: '/api/access-control/signing-key/{id}',
  sendsBody: true,
};
