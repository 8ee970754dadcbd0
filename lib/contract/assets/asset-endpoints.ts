import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams } from '@/lib/contract/primitives';
import { task } from '@/lib/contract/tasks/task';
import { asset, assetReadOnlyFields, importAssetBody, requestUploadBody, updateAssetBody } from './asset';
import { listAssetsQuery } from './asset-list';
import {
  assetId,
  exportTask,
  importTask,
  importedAsset,
  readyAsset,
  uploadTask,
  waitingAsset,
} from './asset-examples';
import { exportBody } from './export';
import { warnings } from './studio-options';

export const listAssets = defineEndpoint({
  id: 'listAssets',
  method: 'GET',
  path: '/api/asset',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'List assets',
  description: 'Assets of the team, by the time of their last status change, newest first.',
  query: listAssetsQuery,
  response: z.array(asset),
  list: true,
  status: 200,
  errors: [400],
  example: { response: [readyAsset] },
});

export const getAsset = defineEndpoint({
  id: 'getAsset',
  method: 'GET',
  path: '/api/asset/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  tag: 'Assets',
  summary: 'Retrieve an asset',
  description: 'One asset of the team. Its URLs are present once its phase is `ready`.',
  params: idParams,
  response: asset,
  status: 200,
  errors: [],
  example: { params: { id: assetId }, response: readyAsset },
});

export const updateAsset = defineEndpoint({
  id: 'updateAsset',
  method: 'PATCH',
  path: '/api/asset/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Change an asset',
  description: 'Changes the fields in the body. Omitted fields keep their values.',
  params: idParams,
  body: updateAssetBody,
  readOnlyFields: assetReadOnlyFields,
  // A body with a chapter file may be larger than other bodies.
  maxBodyBytes: 800_000,
  response: asset,
  status: 200,
  errors: [],
  example: {
    params: { id: assetId },
    body: { name: 'Town hall, part 1 of 2' },
    response: { ...readyAsset, name: 'Town hall, part 1 of 2' },
  },
});

export const deleteAsset = defineEndpoint({
  id: 'deleteAsset',
  method: 'DELETE',
  path: '/api/asset/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Delete an asset',
  description:
    'The asset can no longer be retrieved or played. A task that still produces it is cancelled. You can restore the asset for seven days.',
  params: idParams,
  status: 204,
  errors: [],
  example: { params: { id: assetId } },
});

export const restoreAsset = defineEndpoint({
  id: 'restoreAsset',
  method: 'POST',
  path: '/api/asset/{id}/restore',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Restore a deleted asset',
  description: 'Works for seven days after deletion. An asset that is not deleted is returned unchanged.',
  params: idParams,
  response: asset,
  status: 200,
  errors: [],
  example: { params: { id: assetId }, response: readyAsset },
});

/** Response of requests that create an asset with a task. */
export const assetAndTask = z.object({ asset, task });

export const requestUpload = defineEndpoint({
  id: 'requestUpload',
  method: 'POST',
  path: '/api/asset/request-upload',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  tag: 'Assets',
  summary: 'Request an upload URL',
  description:
    'Send the file with PUT to exactly `url`, or with a tus client to `tusEndpoint`. Neither needs a key; both work for 12 hours, but an upload without any bytes expires after an hour. A file that does not fit into the storage quota of the team is rejected with 402, and the asset stays in the phase `waiting`. Files must be MP4 with H.264 video and, optionally, AAC audio; with `convert`, any video or audio file is accepted. If there are several audio tracks, the default one is played; other tracks, such as timecodes and subtitles, are ignored. If the upload gets 503 after the whole file has arrived, the file is kept and processed automatically. The task shows the progress.',
  body: requestUploadBody,
  response: z.object({
    url: z.string().meta({ description: 'PUT the raw file here.' }),
    tusEndpoint: z.string().meta({ description: 'For resumable uploads with tus 1.0.' }),
    asset,
    task,
    warnings,
  }),
  status: 200,
  errors: [[402, 'The storage quota of the team is used up.']],
  example: {
    body: { name: waitingAsset.name },
    response: {
      url: 'http://localhost:8080/api/asset/upload/direct?token=eyJhc3NldElkIjoi…',
      tusEndpoint: 'http://localhost:8080/api/asset/upload/tus?token=eyJhc3NldElkIjoi…',
      asset: waitingAsset,
      task: uploadTask,
    },
  },
});

export const importAsset = defineEndpoint({
  id: 'importAsset',
  method: 'POST',
  path: '/api/asset/import',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Import a file from a URL',
  description:
    'Downloads the file in the background, following up to 10 redirects. Repeating the request with the same URL within 15 minutes, while the first import is running, returns the same asset and task.',
  body: importAssetBody,
  response: assetAndTask.extend({ warnings }),
  status: 201,
  errors: [[402, 'The storage quota of the team is used up.']],
  example: {
    body: { url: importedAsset.source.url, name: importedAsset.name },
    response: { asset: importedAsset, task: importTask },
  },
});

/** The endpoint `importAsset` with the path that older clients of the Studio API use. */
export const importAssetByUploadUrl = defineEndpoint({
  ...importAsset,
  id: 'importAssetByUploadUrl',
  path: '/api/asset/upload/url',
  summary: 'Import a file from a URL (alias)',
});

export const exportAsset = defineEndpoint({
  id: 'exportAsset',
  method: 'POST',
  path: '/api/asset/{id}/export',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  tag: 'Assets',
  summary: 'Export an asset',
  description:
    'Sends the file of a ready asset to IPFS or to your own URL in the background. Credentials are never returned.',
  params: idParams,
  body: exportBody,
  response: z.object({ task }),
  status: 201,
  errors: [
    [412, 'The asset has no playable file, or its playback policy forbids IPFS, where anyone can read it.'],
  ],
  example: {
    params: { id: assetId },
    body: { ipfs: { pinning: { jwt: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln' } } },
    response: { task: exportTask },
  },
});

export const assetEndpoints = [
  listAssets,
  requestUpload,
  importAsset,
  importAssetByUploadUrl,
  getAsset,
  updateAsset,
  deleteAsset,
  restoreAsset,
  exportAsset,
] as const;
