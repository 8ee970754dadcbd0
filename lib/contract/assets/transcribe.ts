import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams } from '@/lib/contract/primitives';
import { task } from '@/lib/contract/tasks/task';
import { assetId, transcribeTask } from './asset-examples';
import { trackLabel, trackLanguage } from './track';

const transcribeAssetBody = z.strictObject({
  language: trackLanguage.meta({
    description: "BCP 47 tag of the spoken language, such as `en`. The server's model must support it.",
  }),
  label: trackLabel
    .exactOptional()
    .meta({ description: 'Defaults to the name of the language, with a note that the text was generated.' }),
});

export const transcribeAsset = defineEndpoint({
  id: 'transcribeAsset',
  method: 'POST',
  path: '/api/asset/{id}/transcribe',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Generate subtitles',
  description:
    'Transcribes the speech of a ready asset in the background and adds a track with `generated: true`. 412 if the operator has not set `STT_MODEL_DIR` to the folder of a model.',
  params: idParams,
  body: transcribeAssetBody,
  response: z.object({ task }),
  status: 201,
  errors: [
    [409, 'Subtitles in this language are already being generated.'],
    [412, 'The asset has no playable file or no audio, or the server has no speech model.'],
  ],
  example: { params: { id: assetId }, body: { language: 'en' }, response: { task: transcribeTask } },
});

export const transcribeEndpoints = [transcribeAsset] as const;
