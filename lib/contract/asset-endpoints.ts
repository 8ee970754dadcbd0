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
  description: 'Assets of the account, the one whose status changed last first.',
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
  description: 'One asset of the account. Its addresses are there once its phase is `ready`.',
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
  description: 'Changes what the body names; a field left out keeps its value.',
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
    'It is not found any more and cannot be played; work that would have produced it is cancelled. It can be restored for seven days.',
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
  description: 'Within seven days of its deletion. One that is not deleted stays as it is.',
  params: idParams,
  response: asset,
  status: 200,
  errors: [],
  example: { params: { id: assetId }, response: readyAsset },
});
