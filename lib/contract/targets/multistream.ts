import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, listQuery, text, timestamp, uuid, nameText } from '@/lib/contract/primitives';
import { targetMachine } from '@/lib/core/targets/target-state';
import { targetTestOutcomes } from '@/lib/core/targets/target-finding';
import { reason } from '@/lib/contract/reason';

/** Schema of the URL of a target. Characters that have a meaning in the arguments of ffmpeg are rejected. */
const targetUrl = text(2_000, 1).regex(/^(srt|rtmps?|https?):\/\/[^|[\]\s'"\\]+$/, {
  error: 'must be an rtmp://, rtmps://, srt:// or https:// (WHIP) URL',
});

/** A multistream target. Only the response to its creation has its `url`. */
const multistreamTarget = z
  .object({
    id: uuid,
    userId: uuid,
    name: z.string(),
    disabled: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'MultistreamTarget' });

const createdMultistreamTarget = multistreamTarget
  .extend({ url: z.string().meta({ description: 'Only in the response that creates the target.' }) })
  .meta({ id: 'CreatedMultistreamTarget' });

export type MultistreamTarget = z.output<typeof multistreamTarget>;
export type CreatedMultistreamTarget = z.output<typeof createdMultistreamTarget>;

/** The fields of a new target, which is created by itself or with a stream. */
export const targetSpec = z.strictObject({
  url: targetUrl.meta({
    description:
      'The ingest URL of the service, including the stream key. For WHIP, append the bearer token after `#`.',
  }),
  name: nameText(500, 0).exactOptional().meta({ description: 'Defaults to the host of `url`.' }),
});

export const createTargetBody = targetSpec.extend({
  disabled: z.boolean().exactOptional().meta({ description: 'Nothing is sent to the target while true.' }),
});

const updateTargetBody = z.strictObject({
  name: nameText(500, 0).exactOptional().meta({ description: 'An empty name is ignored.' }),
  url: targetUrl
    .exactOptional()
    .meta({ description: 'The full URL, including the stream key. The stored URL is never returned.' }),
  disabled: z.boolean().exactOptional().meta({ description: 'Nothing is sent to the target while true.' }),
});

const listTargetsQuery = listQuery.extend({
  userId: z
    .string()
    .max(100)
    .exactOptional()
    .meta({ description: 'Ignored: the list always belongs to the caller.' }),
});

/** The status of one target of a stream, which differs from stream to stream. */
const targetStatus = z
  .object({
    id: uuid.meta({ description: 'The target.' }),
    name: z.string(),
    profile: z.string().meta({ description: 'The rendition to send; "source" is the unprocessed source.' }),
    videoOnly: z.boolean(),
    disabled: z.boolean(),
    state: z.enum(targetMachine.states).meta({
      description:
        'disconnected: nothing should be sent. waiting: the encoder is away, or the rendition is not made yet. connecting: an attempt runs. connected: media is being sent. error: the attempt failed; the next one starts after a delay.',
    }),
    since: timestamp.meta({ description: 'When the target entered this state; 0 = nothing was ever sent.' }),
    uptime: z.number().min(0).meta({ description: 'Seconds for which media has been sent without a break.' }),
    bitrate: z.number().min(0).meta({ description: 'Current bits per second.' }),
    reached: z.boolean().nullable().meta({
      description:
        'Whether the last attempt or the last test, whichever is newer, reached the service of the target. Null: there was neither.',
    }),
    lastTest: z
      .object({
        outcome: z.enum(targetTestOutcomes),
        message: z.string(),
        reason: reason.exactOptional(),
        at: timestamp,
      })
      .nullable()
      .meta({
        description: 'The last test of the URL. Messages do not contain the URL. Null: it was not tested.',
      }),
    lastError: z
      .object({ message: z.string(), reason: reason.exactOptional(), at: timestamp })
      .nullable()
      .meta({
        description:
          'The last failure. Messages do not contain the URL. It is kept when media is sent again.',
      }),
  })
  .meta({ id: 'TargetStatus' });

export type TargetStatus = z.output<typeof targetStatus>;

const targetReadOnlyFields = ['id', 'userId', 'createdAt'] as const;

/** Fields of targets for `filters` and `order`. */
export const targetListFields = {
  id: { type: 'uuid' },
  name: { type: 'text' },
  disabled: { type: 'boolean' },
  createdAt: { type: 'timestamp' },
} as const;

const exampleId = '9d2f6a41-5c0e-4b7b-8f3e-6a1d0c9b7e55';
const exampleStreamId = 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10';
const exampleUrl = 'rtmp://live.example.com/app/your-key';

const targetExample = {
  id: exampleId,
  userId: '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52',
  name: 'live.example.com',
  disabled: false,
  createdAt: 1_767_225_600_000,
};

export const createTarget = defineEndpoint({
  id: 'createMultistreamTarget',
  method: 'POST',
  path: '/api/multistream/target',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Multistream',
  summary: 'Create a multistream target',
  description:
    'Adds another service that live streams can be sent to. Nothing is sent until a stream uses the target. Only this response includes its URL.',
  body: createTargetBody,
  readOnlyFields: targetReadOnlyFields,
  response: createdMultistreamTarget,
  status: 201,
  errors: [],
  example: { body: { url: exampleUrl }, response: { ...targetExample, url: exampleUrl } },
});

export const listTargets = defineEndpoint({
  id: 'listMultistreamTargets',
  method: 'GET',
  path: '/api/multistream/target',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Multistream',
  summary: 'List multistream targets',
  description: 'Targets of the team, newest first, without their URLs.',
  query: listTargetsQuery,
  response: z.array(multistreamTarget),
  list: true,
  status: 200,
  errors: [400],
  example: { response: [targetExample] },
});

export const getTarget = defineEndpoint({
  id: 'getMultistreamTarget',
  method: 'GET',
  path: '/api/multistream/target/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Multistream',
  summary: 'Retrieve a multistream target',
  description: 'One target of the team, without its URL.',
  params: idParams,
  response: multistreamTarget,
  status: 200,
  errors: [],
  example: { params: { id: exampleId }, response: targetExample },
});

export const updateTarget = defineEndpoint({
  id: 'updateMultistreamTarget',
  method: 'PATCH',
  path: '/api/multistream/target/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Multistream',
  summary: 'Change a multistream target',
  description:
    'Changes the fields in the body. Omitted fields keep their values, except that a name that is the host of the old URL becomes the host of the new one.',
  params: idParams,
  body: updateTargetBody,
  readOnlyFields: targetReadOnlyFields,
  status: 204,
  errors: [],
  example: { params: { id: exampleId }, body: { disabled: true } },
});

export const deleteTarget = defineEndpoint({
  id: 'deleteMultistreamTarget',
  method: 'DELETE',
  path: '/api/multistream/target/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Multistream',
  summary: 'Delete a multistream target',
  description: 'Removes the target from the streams that use it; live streams stop sending to it.',
  params: idParams,
  status: 204,
  errors: [],
  example: { params: { id: exampleId } },
});

export const getStreamMultistream = defineEndpoint({
  id: 'getStreamMultistream',
  method: 'GET',
  path: '/api/stream/{id}/multistream',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Multistream',
  summary: 'Retrieve the status of multistream targets',
  description:
    'The state of each target of the stream, in the order of the stream object, with the bitrate and the last failure.',
  params: idParams,
  response: z.array(targetStatus),
  status: 200,
  errors: [],
  example: {
    params: { id: exampleStreamId },
    response: [
      {
        id: exampleId,
        name: 'live.example.com',
        profile: 'source',
        videoOnly: false,
        disabled: false,
        state: 'connected',
        since: 1_767_225_605_000,
        uptime: 640,
        bitrate: 2_950_000,
        reached: true,
        lastTest: null,
        lastError: null,
      },
    ],
  },
});

export const multistreamEndpoints = [
  getStreamMultistream,
  createTarget,
  listTargets,
  getTarget,
  updateTarget,
  deleteTarget,
] as const;
