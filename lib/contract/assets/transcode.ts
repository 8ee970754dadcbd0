import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams } from '@/lib/contract/primitives';
import { transcodeAssetBody, transcodeAssetFlatBody } from './asset';
import { assetAndTask } from './asset-endpoints';
import { assetId, profile480, transcodedAsset, transcodeTask } from './asset-examples';

export const transcodeAsset = defineEndpoint({
  id: 'transcodeAsset',
  method: 'POST',
  path: '/api/asset/{id}/transcode',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  tag: 'Assets',
  summary: 'Transcode an asset',
  description: 'Creates a new asset by transcoding a ready one in the background.',
  params: idParams,
  body: transcodeAssetBody,
  response: assetAndTask,
  status: 201,
  errors: [402, 412],
  example: {
    params: { id: assetId },
    body: { name: transcodedAsset.name, profile: profile480 },
    response: { asset: transcodedAsset, task: transcodeTask },
  },
});

/** The form that older Studio API clients call, with the asset named in the body. */
export const transcodeAssetFlat = defineEndpoint({
  id: 'transcodeAssetFlat',
  method: 'POST',
  path: '/api/asset/transcode',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Transcode an asset (asset in the body)',
  description: 'The same as POST /api/asset/{id}/transcode.',
  body: transcodeAssetFlatBody,
  response: assetAndTask,
  status: 201,
  errors: [402, 404, 412],
  example: {
    body: { assetId, name: transcodedAsset.name, profile: profile480 },
    response: { asset: transcodedAsset, task: transcodeTask },
  },
});

export const transcodeEndpoints = [transcodeAsset, transcodeAssetFlat] as const;
