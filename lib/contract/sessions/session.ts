import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, listQuery, playbackId, timestamp, uuid } from '@/lib/contract/primitives';
import { sessionMachine } from '@/lib/core/sessions/session-state';
import { profiles, recordingSpec } from '@/lib/contract/streams/profile';
import { reason } from '@/lib/contract/reason';

const counter = z.number().min(0);

/** The session object, which is read-only. */
export const session = z
  .object({
    id: uuid,
    kind: z.literal('session'),
    userId: uuid,
    name: z.string().meta({ description: 'Name of the stream when the session started.' }),
    parentId: uuid.meta({ description: 'The stream of the session.' }),
    playbackId: playbackId.meta({ description: 'The playback id of the stream.' }),
    createdAt: timestamp,
    lastSeen: timestamp.meta({ description: 'When media last arrived; 0 = never.' }),
    isActive: z.boolean().meta({ description: 'True while the session is live.' }),
    state: z.enum(sessionMachine.states).meta({
      description:
        '`live`: an encoder is connected. `waiting`: the encoder may reconnect within the reconnect window. `ended`: the session is over.',
    }),
    profiles,
    record: z.boolean().meta({ description: 'Setting of the stream when the session started.' }),
    recordingSpec: recordingSpec.exactOptional(),
    sourceSegments: counter,
    transcodedSegments: counter,
    sourceSegmentsDuration: counter.meta({ description: 'Seconds.' }),
    transcodedSegmentsDuration: counter.meta({ description: 'Seconds.' }),
    sourceBytes: counter,
    transcodedBytes: counter,
    recordingStatus: z.enum(['waiting', 'ready', 'failed', 'deleted', 'none']).exactOptional().meta({
      description:
        'Only on recorded sessions. `waiting`: the recording is not ready yet. `none`: there is no recording, because no media was recorded.',
    }),
    recordingUrl: z
      .string()
      .exactOptional()
      .meta({ description: 'HLS playlist of the recording, once it is ready.' }),
    mp4URL: z.string().exactOptional().meta({ description: 'The recording as one MP4, once it is ready.' }),
    mp4Url: z.string().exactOptional().meta({ description: 'The same as `mp4URL`, for newer clients.' }),
    recordingError: z
      .string()
      .exactOptional()
      .meta({ description: 'Why the recording is missing or incomplete. Absent if there was no problem.' }),
    recordingErrorReason: reason.exactOptional(),
    recordingGaps: z
      .array(z.object({ from: timestamp, to: timestamp }))
      .exactOptional()
      .meta({
        description: 'Gaps in the recording, for example before a reconnect. Present once it is ready.',
      }),
  })
  .meta({ id: 'Session' });

export type Session = z.output<typeof session>;

const listSessionsQuery = listQuery.extend({
  parentId: z.string().max(100).exactOptional().meta({ description: 'Only sessions of this stream.' }),
});

const listStreamSessionsQuery = listQuery.extend({
  record: z
    .string()
    .max(100)
    .exactOptional()
    .meta({ description: '1: only recorded sessions; 0: only unrecorded sessions.', example: '1' }),
});

/** Fields of sessions for `filters` and `order`. `sortColumn` is the database column to sort by, if it differs. */
export const sessionListFields = {
  id: { type: 'uuid' },
  name: { type: 'text' },
  parentId: { type: 'uuid' },
  record: { type: 'boolean' },
  lastSeen: { type: 'timestamp', nullable: true, sortColumn: 'listedAt' },
  createdAt: { type: 'timestamp' },
  sourceSegments: { type: 'int' },
  transcodedSegments: { type: 'int' },
  sourceSegmentsDuration: { type: 'float' },
  transcodedSegmentsDuration: { type: 'float' },
} as const;

const exampleId = '2b0d6c9e-8f57-4a1c-b7c4-0f4f8e1d3a92';
const exampleStreamId = 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10';

const sessionExample = {
  id: exampleId,
  kind: 'session',
  userId: '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52',
  name: 'Town hall',
  parentId: exampleStreamId,
  playbackId: 'f3a1h2v9c8x7m6n5',
  createdAt: 1_767_225_600_000,
  lastSeen: 1_767_229_200_000,
  isActive: true,
  state: 'live',
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
    'Live sessions of the team, newest first: by `lastSeen`, or by `createdAt` if no media has arrived yet.',
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
  description: 'One session of the team.',
  params: idParams,
  response: session,
  status: 200,
  errors: [],
  example: { params: { id: exampleId }, response: sessionExample },
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
    'Playable sessions of a parent stream, by `lastSeen`, newest first. `record=1` returns only recorded sessions.',
  params: idParams,
  query: listStreamSessionsQuery,
  response: z.array(session),
  list: true,
  status: 200,
  errors: [400],
  example: { params: { id: exampleStreamId }, response: [sessionExample] },
});

export const sessionEndpoints = [listStreamSessions, listSessions, getSession] as const;
