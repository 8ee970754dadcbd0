import { z } from 'zod';
import { defineEndpoint } from './define-endpoint';
import {
  createdMultistreamTarget,
  createTargetBody,
  listTargetsQuery,
  multistreamTarget,
  targetStatus,
  targetReadOnlyFields,
  updateTargetBody,
} from './multistream';
import { idParams } from './primitives';

const id = '9d2f6a41-5c0e-4b7b-8f3e-6a1d0c9b7e55';
const streamId = 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10';
const url = 'rtmp://live.example.com/app/your-key';

const targetExample = {
  id,
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
    'A third-party destination. Nothing is sent until a stream uses it. Only this response includes its url.',
  body: createTargetBody,
  readOnlyFields: targetReadOnlyFields,
  response: createdMultistreamTarget,
  status: 201,
  errors: [],
  example: { body: { url }, response: { ...targetExample, url } },
});

export const listTargets = defineEndpoint({
  id: 'listMultistreamTargets',
  method: 'GET',
  path: '/api/multistream/target',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Multistream',
  summary: 'List multistream targets',
  description: 'Targets of the account by id, without their urls.',
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
  description: 'One target of the account, without its url.',
  params: idParams,
  response: multistreamTarget,
  status: 200,
  errors: [],
  example: { params: { id }, response: targetExample },
});

export const updateTarget = defineEndpoint({
  id: 'updateMultistreamTarget',
  method: 'PATCH',
  path: '/api/multistream/target/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Multistream',
  summary: 'Change a multistream target',
  description: 'Changes the fields in the body. Omitted fields keep their values.',
  params: idParams,
  body: updateTargetBody,
  readOnlyFields: targetReadOnlyFields,
  status: 204,
  errors: [],
  example: { params: { id }, body: { disabled: true } },
});

export const deleteTarget = defineEndpoint({
  id: 'deleteMultistreamTarget',
  method: 'DELETE',
  path: '/api/multistream/target/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Multistream',
  summary: 'Delete a multistream target',
  description:
    'Remove the target from all streams first. Otherwise the response is 409 and names the streams.',
  params: idParams,
  status: 204,
  errors: [409],
  example: { params: { id } },
});

/** The status of a stream's targets. */
export const getStreamMultistream = defineEndpoint({
  id: 'getStreamMultistream',
  method: 'GET',
  path: '/api/stream/{id}/multistream',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Multistream',
  summary: 'Retrieve the status of multistream targets',
  description:
    'For each target of the stream, in order: its state, when it entered it, the bitrate and the last failure.',
  params: idParams,
  response: z.array(targetStatus),
  status: 200,
  errors: [],
  example: {
    params: { id: streamId },
    response: [
      {
        id,
        name: 'live.example.com',
        profile: 'source',
        videoOnly: false,
        disabled: false,
        state: 'connected',
        since: 1_767_225_605_000,
        uptime: 640,
        bitrate: 2_950_000,
        lastError: null,
      },
    ],
  },
});
