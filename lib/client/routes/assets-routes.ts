import type * as assetEndpointsContract from '@/lib/contract/assets/asset-endpoints';
import type * as clipContract from '@/lib/contract/assets/clip';
import type * as posterContract from '@/lib/contract/assets/poster';
import type * as replaceContract from '@/lib/contract/assets/replace';
import type * as trackContract from '@/lib/contract/assets/track';
import type * as transcodeContract from '@/lib/contract/assets/transcode';
import type * as transcribeContract from '@/lib/contract/assets/transcribe';
import type { Route } from './route';

export const addTrack: Route<typeof trackContract.addTrack> = {
  method: 'POST',
  path: '/api/asset/{id}/tracks',
  sendsBody: true,
};
export const createClip: Route<typeof clipContract.createClip> = {
  method: 'POST',
  path: '/api/clip',
  sendsBody: true,
};
export const deleteAsset: Route<typeof assetEndpointsContract.deleteAsset> = {
  method: 'DELETE',
  path: '/api/asset/{id}',
};
export const deleteAssetPoster: Route<typeof posterContract.deleteAssetPoster> = {
  method: 'DELETE',
  path: '/api/asset/{id}/poster',
};
export const deleteStreamPoster: Route<typeof posterContract.deleteStreamPoster> = {
  method: 'DELETE',
  path: '/api/stream/{id}/poster',
};
export const deleteTrack: Route<typeof trackContract.deleteTrack> = {
  method: 'DELETE',
  path: '/api/asset/{id}/tracks/{trackId}',
};
export const exportAsset: Route<typeof assetEndpointsContract.exportAsset> = {
  method: 'POST',
  path: '/api/asset/{id}/export',
  sendsBody: true,
};
export const getAsset: Route<typeof assetEndpointsContract.getAsset> = {
  method: 'GET',
  path: '/api/asset/{id}',
};
export const importAsset: Route<typeof assetEndpointsContract.importAsset> = {
  method: 'POST',
  path: '/api/asset/import',
  sendsBody: true,
};
export const listAssets: Route<typeof assetEndpointsContract.listAssets> = {
  method: 'GET',
  path: '/api/asset',
};
export const listTracks: Route<typeof trackContract.listTracks> = {
  method: 'GET',
  path: '/api/asset/{id}/tracks',
};
export const replaceAsset: Route<typeof replaceContract.replaceAsset> = {
  method: 'POST',
  path: '/api/asset/{id}/replace',
  sendsBody: true,
};
export const requestAssetPosterUpload: Route<typeof posterContract.requestAssetPosterUpload> = {
  method: 'POST',
  path: '/api/asset/{id}/poster',
};
export const requestStreamPosterUpload: Route<typeof posterContract.requestStreamPosterUpload> = {
  method: 'POST',
  path: '/api/stream/{id}/poster',
};
export const requestUpload: Route<typeof assetEndpointsContract.requestUpload> = {
  method: 'POST',
  path: '/api/asset/request-upload',
  sendsBody: true,
};
export const restoreAsset: Route<typeof assetEndpointsContract.restoreAsset> = {
  method: 'POST',
  path: '/api/asset/{id}/restore',
};
export const transcodeAsset: Route<typeof transcodeContract.transcodeAsset> = {
  method: 'POST',
  path: '/api/asset/{id}/transcode',
  sendsBody: true,
};
export const transcribeAsset: Route<typeof transcribeContract.transcribeAsset> = {
  method: 'POST',
  path: '/api/asset/{id}/transcribe',
  sendsBody: true,
};
export const updateAsset: Route<typeof assetEndpointsContract.updateAsset> = {
  method: 'PATCH',
  path: '/api/asset/{id}',
  sendsBody: true,
};
export const updateTrack: Route<typeof trackContract.updateTrack> = {
  method: 'PATCH',
  path: '/api/asset/{id}/tracks/{trackId}',
  sendsBody: true,
};
