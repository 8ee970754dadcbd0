import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, remoteUrl } from '@/lib/contract/primitives';
import { task } from '@/lib/contract/tasks/task';
import { asset, convertOption } from './asset';
import { assetId, importedAsset, readyAsset, replaceTask } from './asset-examples';
import { requestUpload } from './asset-endpoints';

const { url, tusEndpoint } = requestUpload.response.shape;

export const replaceAsset = defineEndpoint({
  id: 'replaceAsset',
  method: 'POST',
  path: '/api/asset/{id}/replace',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Replace the file of an asset',
  description:
    'With `url`, the new file is downloaded in the background; otherwise send it to the `url` or `tusEndpoint` of the response, as for a new asset. The playback id, name, tags, playback policy, subtitles and views are kept. Viewers get the old file until the new one is ready, and the new one within two minutes after that. Viewers who are watching the old file can finish it within a day. The task shows the progress; if it fails or is cancelled, the asset keeps its file. A copy in IPFS is not updated: export the asset again. Assets of recordings cannot be replaced.',
  params: idParams,
  body: z.strictObject({
    url: remoteUrl
      .exactOptional()
      .meta({ description: 'The file to download. Omitted: the file is uploaded.' }),
    convert: convertOption,
  }),
  response: z.object({
    url: url.exactOptional(),
    tusEndpoint: tusEndpoint.exactOptional(),
    asset: asset.meta({ description: 'The asset with its current file.' }),
    task,
  }),
  status: 201,
  errors: [
    [402, 'The storage quota of the team is used up.'],
    [409, 'The file is already being replaced.'],
    [412, 'The asset has no file to replace: it is still being processed, or it failed.'],
  ],
  example: {
    params: { id: assetId },
    body: { url: importedAsset.source.url },
    response: { asset: readyAsset, task: replaceTask },
  },
});
