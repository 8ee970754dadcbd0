import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { playbackId } from '@/lib/contract/primitives';

const totalViews = z
  .object({
    playbackId,
    viewCount: z.int().min(0).meta({ description: 'Views since the stream or asset was created.' }),
    playtimeMins: z.number().min(0).meta({
      description:
        'Minutes delivered to viewers: of an asset since its creation, of a stream and its recordings in the last 400 days.',
    }),
  })
  .meta({ id: 'TotalViews' });

export type TotalViews = z.output<typeof totalViews>;

const examplePlaybackId = 'f3a1h2v9c8x7m6n5';

/** Endpoint with the total views of an object, in the format of the Studio API. */
export const getTotalViews = defineEndpoint({
  id: 'getTotalViews',
  method: 'GET',
  path: '/api/data/views/query/total/{playbackId}',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  keyOptional: true,
  rateLimit: 'public-totals',
  tag: 'Playback',
  summary: 'Retrieve the total views',
  description:
    'Total views of a stream or an asset, and its watch time. Public content needs no key, and CORS is open to any origin; at most 60 requests per minute from one IP address. Content with a playback policy that restricts viewers needs a key of its team.',
  params: z.object({ playbackId }),
  response: totalViews,
  status: 200,
  errors: [
    [401, 'Without a key: there is no public content with this playback id. With one: the key is not valid.'],
  ],
  example: {
    params: { playbackId: examplePlaybackId },
    response: { playbackId: examplePlaybackId, viewCount: 340, playtimeMins: 1_265.5 },
  },
});
