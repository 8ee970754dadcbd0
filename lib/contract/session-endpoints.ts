import { z } from 'zod';
import { defineEndpoint } from './define-endpoint';
import { idParams } from './primitives';
import { listSessionsQuery, listStreamSessionsQuery, session } from './session';

const id = '2b0d6c9e-8f57-4a1c-b7c4-0f4f8e1d3a92';
const parentId = 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10';

const sessionExample = {
  id,
  kind: 'session',
  userId: '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52',
  name: 'Town hall',
  parentId,
  playbackId: 'f3a1h2v9c8x7m6n5',
  createdAt: 1_767_225_600_000,
  lastSeen: 1_767_229_200_000,
  isActive: true,
  profiles: [],
  record: true,
  sourceSegments: 1_800,
  transcodedSegments: 0,
  sourceSegmentsDuration: 3_600,
  transcodedSegmentsDuration: 0,
  sourceBytes: 1_350_000_000,
  transcodedBytes: 0,
  recordingStatus: 'waiting',
};

export const listSessions = defineEndpoint({
  id: 'listSessions',
  method: 'GET',
  path: '/api/session',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Sessions',
  summary: 'List sessions',
  description:
    'Live sessions of the account, newest first: by `lastSeen`, or by `createdAt` where no media has arrived yet.',
  query: listSessionsQuery,
  response: z.array(session),
  list: true,
  status: 200,
  errors: [400],
  example: { response: [sessionExample] },
});

export const getSession = defineEndpoint({
  id: 'getSession',
  method: 'GET',
  path: '/api/session/{id}',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  tag: 'Sessions',
  summary: 'Retrieve a session',
  description: 'One session of the account.',
  params: idParams,
  response: session,
  status: 200,
  errors: [],
  example: { params: { id }, response: sessionExample },
});

export const listStreamSessions = defineEndpoint({
  id: 'listStreamSessions',
  method: 'GET',
  path: '/api/stream/{id}/sessions',
  auth: 'key-or-session',
  corsKeyAllowed: true,
  tag: 'Sessions',
  summary: 'List sessions of a stream',
  description:
    'Sessions of a parent stream that received media, by `lastSeen`, newest first. `record=1` returns only recorded ones.',
  params: idParams,
  query: listStreamSessionsQuery,
  response: z.array(session),
  list: true,
  status: 200,
  errors: [400],
  example: { params: { id: parentId }, response: [sessionExample] },
});
