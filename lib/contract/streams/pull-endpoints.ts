import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams } from '@/lib/contract/primitives';
import { pullInput } from './pull';
import { createStreamBody, stream, streamReadOnlyFields } from './stream';
import { streamExample } from './stream-endpoints';

const examplePull = { source: 'https://live.example.com/event/index.m3u8' };

/** Names of the body fields that can identify the stream of an upsert. */
const upsertKeys = ['pull.source', 'creatorId', 'creatorId.value'] as const;

const upsertQuery = z.object({
  key: z
    .enum(upsertKeys)
    .default('pull.source')
    .meta({ description: 'The field of the body that identifies an existing stream.' }),
  waitActive: z
    .string()
    .exactOptional()
    .meta({ description: 'Ignored: the response does not wait until the stream is live.' }),
});

export const upsertPullStream = defineEndpoint({
  id: 'upsertPullStream',
  method: 'PUT',
  path: '/api/stream/pull',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Create or update a pull stream',
  description:
    'Finds the stream of the team with the `pull.source` in the body or, with `key=creatorId`, with the `creatorId` in the body. If there is none, a stream is created (201); otherwise its fields are updated (200). In both cases the pull starts, and a suspended stream is resumed.',
  query: upsertQuery,
  body: createStreamBody.extend({ pull: pullInput }),
  readOnlyFields: streamReadOnlyFields,
  response: stream,
  status: 201,
  upserts: true,
  errors: [[400, 'The body has no value at `key`, or several streams of the team have it.']],
  example: {
    body: { name: 'Town hall', pull: examplePull },
    response: {
      ...streamExample,
      pull: examplePull,
      pullStatus: { state: 'waiting', since: 1_767_225_600_000 },
    },
  },
});

export const startPull = defineEndpoint({
  id: 'startPull',
  method: 'POST',
  path: '/api/stream/{id}/start-pull',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Start pulling',
  description:
    'Pulls the stream from its `pull.source` until it is terminated, suspended or deleted. A pull that waits for its next attempt retries immediately. Parent streams only.',
  params: idParams,
  status: 204,
  errors: [
    [400, 'The stream has no `pull`, or is a child-session object.'],
    [409, 'The stream is suspended.'],
  ],
  example: { params: { id: streamExample.id } },
});

export const pullEndpoints = [upsertPullStream, startPull] as const;
