import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, uuid } from '@/lib/contract/primitives';
import { profile } from '@/lib/contract/streams/profile';
import { assetName } from './asset';
import { assetAndTask } from './asset-endpoints';
import { assetId, profile480, transcodedAsset, transcodeTask } from './asset-examples';

const transcodeFields = {
  name: assetName.exactOptional().meta({ description: 'Defaults to the name of the input asset.' }),
  profile: profile.meta({ description: 'The rendition to create.' }),
};

/** Body of a transcode request whose path identifies the asset. An `assetId` in the body is rejected. */
const transcodeAssetBody = z.strictObject({
  ...transcodeFields,
  assetId: z
    .unknown()
    .optional()
    .meta({ description: 'Not allowed: the path has the id of the asset.', deprecated: true }),
});

const transcodeAssetFlatBody = z.strictObject({ assetId: uuid, ...transcodeFields });

export const transcodeAsset = defineEndpoint({
  id: 'transcodeAsset',
  method: 'POST',
  path: '/api/asset/{id}/transcode',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  tag: 'Assets',
  summary: 'Transcode an asset',
  description: 'Creates a new asset from a ready one, transcoded to the given profile in the background.',
  params: idParams,
  body: transcodeAssetBody,
  response: assetAndTask,
  status: 201,
  errors: [
    [402, 'The storage quota of the team is used up.'],
    [412, 'The asset has no playable file: it is still being processed, or it failed.'],
  ],
  example: {
    params: { id: assetId },
    body: { name: transcodedAsset.name, profile: profile480 },
    response: { asset: transcodedAsset, task: transcodeTask },
  },
});

/** The endpoint `transcodeAsset` for older clients of the Studio API, which send the id of the asset in the body. */
export const transcodeAssetFlat = defineEndpoint({
  id: 'transcodeAssetFlat',
  method: 'POST',
  path: '/api/asset/transcode',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Transcode an asset (asset in the body)',
  description: 'Alias of POST /api/asset/{id}/transcode.',
  body: transcodeAssetFlatBody,
  response: assetAndTask,
  status: 201,
  errors: [
    [402, 'The storage quota of the team is used up.'],
    [404, 'The team has no asset with the `assetId` of the body.'],
    [412, 'The asset has no playable file: it is still being processed, or it failed.'],
  ],
  example: {
    body: { assetId, name: transcodedAsset.name, profile: profile480 },
    response: { asset: transcodedAsset, task: transcodeTask },
  },
});

export const transcodeEndpoints = [transcodeAsset, transcodeAssetFlat] as const;
