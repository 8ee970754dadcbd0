import { z } from 'zod';
import { asset, assetReadOnlyFields, listAssetsQuery, updateAssetBody } from './asset';
import { assetId, readyAsset } from './asset-examples';
import { defineEndpoint } from './define-endpoint';
import { idParams } from './primitives';

export const listAssets = defineEndpoint({
  id: 'listAssets',
  method: 'GET',
  path: '/api/asset',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'List assets',
  description: 'Assets of the account, by last status change, newest first.',
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
  description: 'One asset of the account. Its URLs are present once its phase is `ready`.',
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
    'The asset can no longer be found or played, and the task that produces it is cancelled. You can restore it for seven days.',
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
