import { z } from 'zod';
import { defineEndpoint } from './define-endpoint';
import { idParams, playbackId, timestamp, uuid } from './primitives';

const viewers = z.int().min(0).meta({ description: 'Who watches now.' });
const views = z.int().min(0).meta({ description: 'Playbacks that began, all told.' });

const streamViewers = z
  .object({
    viewers,
    views,
    minutes: z
      .array(
        z.object({
          at: timestamp.meta({ description: 'Begin of the minute, Unix time in milliseconds.' }),
          viewers: z.number().min(0).meta({ description: 'On average.' }),
          views: z.int().min(0).meta({ description: 'Playbacks that began in this minute.' }),
        }),
      )
      .meta({ description: 'The oldest first; a minute without viewers is left out.' }),
  })
  .meta({ id: 'StreamViewers' });

export type StreamViewersObject = z.output<typeof streamViewers>;

const streamAudience = z
  .object({ streamId: uuid, playbackId, viewers, views })
  .meta({ id: 'StreamAudience' });

export type StreamAudience = z.output<typeof streamAudience>;

const id = 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10';

export const getStreamViewers = defineEndpoint({
  id: 'getStreamViewers',
  method: 'GET',
  path: '/api/stream/{id}/viewers',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Retrieve the viewers of a stream',
  description:
    'Who watches live, how often that was, and both by the minute. Counted from requests for playlists, without cookies: each player that loads the stream is one view. Minutes are kept for 30 days.',
  params: idParams,
  query: z.object({
    minutes: z
      .string()
      .regex(/^[1-9][0-9]{0,4}$/, { error: 'must be a number of minutes, 1 to 43200' })
      .exactOptional()
      .meta({ description: 'The last minutes, up to 43200 (30 days); 60 when left out.' }),
  }),
  response: streamViewers,
  status: 200,
  errors: [400],
  example: {
    params: { id },
    response: { viewers: 12, views: 340, minutes: [{ at: 1_767_225_600_000, viewers: 11.4, views: 3 }] },
  },
});

export const listViewers = defineEndpoint({
  id: 'listViewers',
  method: 'GET',
  path: '/api/viewers',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'List what is watched now',
  description: 'Streams of the account that somebody watches now, the most watched first, at most 1000.',
  response: z.array(streamAudience),
  status: 200,
  errors: [],
  example: { response: [{ streamId: id, playbackId: 'f3a1h2v9c8x7m6n5', viewers: 12, views: 340 }] },
});
