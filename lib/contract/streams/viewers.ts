import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, playbackId, timestamp, uuid } from '@/lib/contract/primitives';

const viewerCount = z.int().min(0).meta({ description: 'Current viewers.' });
const viewCount = z.int().min(0).meta({ description: 'Total number of views.' });

const streamViewers = z
  .object({
    viewers: viewerCount,
    views: viewCount,
    minutes: z
      .array(
        z.object({
          at: timestamp.meta({ description: 'Start of the minute, Unix time in milliseconds.' }),
          viewers: z.number().min(0).meta({ description: 'Average viewers in this minute.' }),
          views: z.int().min(0).meta({ description: 'Views that started in this minute.' }),
        }),
      )
      .meta({ description: 'Oldest first. Minutes without viewers are omitted.' }),
  })
  .meta({ id: 'StreamViewers' });

export type StreamViewersObject = z.output<typeof streamViewers>;

const streamAudience = z
  .object({ streamId: uuid, playbackId, viewers: viewerCount, views: viewCount })
  .meta({ id: 'StreamAudience' });

export type StreamAudience = z.output<typeof streamAudience>;

const exampleId = 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10';

export const getStreamViewers = defineEndpoint({
  id: 'getStreamViewers',
  method: 'GET',
  path: '/api/stream/{id}/viewers',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Retrieve the viewers of a stream',
  description:
    'Current viewers and total views, and both per minute. Views are counted by playlist requests, without cookies: each player that loads the stream is one view. The player of the dashboard does not count. Minutes are kept for 30 days.',
  params: idParams,
  query: z.object({
    minutes: z
      .string()
      .regex(/^[1-9][0-9]{0,4}$/, { error: 'must be a number of minutes, 1 to 43200' })
      .exactOptional()
      .meta({ description: 'Number of minutes back from now, up to 43200 (30 days). Default 60.' }),
  }),
  response: streamViewers,
  status: 200,
  errors: [400],
  example: {
    params: { id: exampleId },
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
  summary: 'List watched streams',
  description: 'Streams of the team with current viewers, most watched first, at most 1000.',
  response: z.array(streamAudience),
  status: 200,
  errors: [],
  example: { response: [{ streamId: exampleId, playbackId: 'f3a1h2v9c8x7m6n5', viewers: 12, views: 340 }] },
});

export const viewersEndpoints = [getStreamViewers, listViewers] as const;
