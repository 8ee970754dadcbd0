import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, uuid } from '@/lib/contract/primitives';
import {
  createStreamBody,
  listStreamsQuery,
  setRecordBody,
  stream,
  streamReadOnlyFields,
  targetReferenceInput,
  updateStreamBody,
} from './stream';
import { rotateKeyBody } from './program';

const exampleId = 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10';
const profile720 = { name: '720p', width: 1280, height: 720, bitrate: 3_000_000, fps: 30 };

export const streamExample = {
  id: exampleId,
  kind: 'stream',
  userId: '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52',
  name: 'Town hall',
  createdAt: 1_767_225_600_000,
  streamKey: 'f3a1-9kqe-2m7x-c04d',
  playbackId: 'f3a1h2v9c8x7m6n5',
  profiles: [profile720],
  isActive: false,
  lastSeen: 0,
  record: false,
  suspended: false,
  multistream: { targets: [] },
  sourceSegments: 0,
  transcodedSegments: 0,
  sourceSegmentsDuration: 0,
  transcodedSegmentsDuration: 0,
  sourceBytes: 0,
  transcodedBytes: 0,
  isHealthy: null,
  issues: null,
  lastTerminatedAt: null,
  backup: false,
  slate: false,
  slateSeconds: null,
  recordSlate: false,
  fallbackAfterMs: 3_000,
  program: null,
};

export const createStream = defineEndpoint({
  id: 'createStream',
  method: 'POST',
  path: '/api/stream',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  tag: 'Streams',
  summary: 'Create a stream',
  description:
    'Creates a stream with its stream key and playback id. Without profiles, the source is not transcoded.',
  body: createStreamBody,
  readOnlyFields: streamReadOnlyFields,
  response: stream,
  status: 201,
  errors: [],
  example: { body: { name: 'Town hall', profiles: [profile720] }, response: streamExample },
});

export const listStreams = defineEndpoint({
  id: 'listStreams',
  method: 'GET',
  path: '/api/stream',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'List streams',
  description:
    'Streams of the team, newest first: by `lastSeen`, or by `createdAt` if no media has arrived yet. Includes the child-session object of each session (with `parentId`); `streamsonly=1` omits them.',
  query: listStreamsQuery,
  response: z.array(stream),
  list: true,
  status: 200,
  errors: [400],
  example: { response: [streamExample] },
});

export const getStream = defineEndpoint({
  id: 'getStream',
  method: 'GET',
  path: '/api/stream/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  tag: 'Streams',
  summary: 'Retrieve a stream',
  description: 'One stream of the team.',
  params: idParams,
  response: stream,
  status: 200,
  errors: [],
  example: { params: { id: exampleId }, response: streamExample },
});

export const updateStream = defineEndpoint({
  id: 'updateStream',
  method: 'PATCH',
  path: '/api/stream/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  tag: 'Streams',
  summary: 'Change a stream',
  description:
    'Changes the fields in the body. Omitted fields keep their values. `suspended: true` disconnects the publisher.',
  params: idParams,
  body: updateStreamBody,
  readOnlyFields: streamReadOnlyFields,
  status: 204,
  errors: [],
  example: { params: { id: exampleId }, body: { record: true } },
});

export const setStreamRecord = defineEndpoint({
  id: 'setStreamRecord',
  method: 'PATCH',
  path: '/api/stream/{id}/record',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Turn recording on or off',
  description: 'Applies to new sessions. A session in progress keeps its setting. Parent streams only.',
  params: idParams,
  body: setRecordBody,
  readOnlyFields: streamReadOnlyFields,
  invalidBody: 'bad_request',
  status: 204,
  errors: [],
  example: { params: { id: exampleId }, body: { record: true } },
});

export const deleteStream = defineEndpoint({
  id: 'deleteStream',
  method: 'DELETE',
  path: '/api/stream/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Delete a stream',
  description:
    'Disconnects the encoder, stops playback and deletes the recordings of its sessions. Sessions and the assets made from recordings stay.',
  params: idParams,
  status: 204,
  errors: [],
  example: { params: { id: exampleId } },
});

export const terminateStream = defineEndpoint({
  id: 'terminateStream',
  method: 'DELETE',
  path: '/api/stream/{id}/terminate',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Disconnect the publisher',
  description:
    'Disconnects the encoder, which may reconnect immediately. At most once every 5 seconds per stream.',
  params: idParams,
  status: 204,
  errors: [400, [429, 'The stream was disconnected less than 5 seconds ago; see Retry-After.']],
  example: { params: { id: exampleId } },
});

/** Replaces a stream key, for example one that has leaked. */
export const rotateStreamKey = defineEndpoint({
  id: 'rotateStreamKey',
  method: 'POST',
  path: '/api/stream/{id}/rotate-key',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Replace the stream key',
  description:
    'Returns the stream with its new key. The old key stops working immediately and its encoder is disconnected. Without a body, `streamKey` is replaced. Parent streams only.',
  params: idParams,
  body: rotateKeyBody,
  response: stream,
  status: 200,
  errors: [400, [409, 'The stream has no backup key.']],
  example: {
    params: { id: exampleId },
    body: { key: 'primary' },
    response: { ...streamExample, streamKey: 'f3a1-7tzc-1v5d-p8ks' },
  },
});

export const addStreamTarget = defineEndpoint({
  id: 'addStreamMultistreamTarget',
  method: 'POST',
  path: '/api/stream/{id}/create-multistream-target',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Add a multistream target to a stream',
  description: 'Adds an existing target by `id`, or creates one from `spec`. Other targets stay.',
  params: idParams,
  body: targetReferenceInput,
  status: 204,
  errors: [],
  example: {
    params: { id: exampleId },
    body: { profile: 'source', spec: { url: 'rtmp://live.example.com/app/your-key' } },
  },
});

export const removeStreamTarget = defineEndpoint({
  id: 'removeStreamMultistreamTarget',
  method: 'DELETE',
  path: '/api/stream/{id}/multistream/{targetId}',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Remove a multistream target from a stream',
  description: 'Removes the target from the stream. The target itself is not deleted.',
  params: idParams.extend({ targetId: uuid }),
  status: 204,
  errors: [],
  example: { params: { id: exampleId, targetId: '9d2f6a41-5c0e-4b7b-8f3e-6a1d0c9b7e55' } },
});

export const streamEndpoints = [
  createStream,
  listStreams,
  getStream,
  updateStream,
  setStreamRecord,
  deleteStream,
  terminateStream,
  rotateStreamKey,
  addStreamTarget,
  removeStreamTarget,
] as const;
