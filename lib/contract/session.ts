import { z } from 'zod';
import { listQuery } from './list-query';
import { playbackId, timestamp, uuid } from './primitives';
import { profiles } from './profile';
import { recordingSpec } from './recording-spec';

const counter = z.number().min(0);

/** The session object. Read-only. */
export const session = z
  .object({
    id: uuid,
    kind: z.literal('session'),
    userId: uuid,
    name: z.string().meta({ description: 'Name of the stream when the session started.' }),
    parentId: uuid.meta({ description: 'The parent stream.' }),
    playbackId: playbackId.meta({ description: 'The playback id of the parent stream.' }),
    createdAt: timestamp,
    lastSeen: timestamp.meta({ description: 'When media last arrived; 0 = never.' }),
    isActive: z.boolean().meta({ description: 'True while live and until the reconnect window has passed.' }),
    profiles,
    record: z.boolean().meta({ description: 'As configured on the stream when the session started.' }),
    recordingSpec: recordingSpec.exactOptional(),
    sourceSegments: counter,
    transcodedSegments: counter,
    sourceSegmentsDuration: counter.meta({ description: 'Seconds.' }),
    transcodedSegmentsDuration: counter.meta({ description: 'Seconds.' }),
    sourceBytes: counter,
    transcodedBytes: counter,
    recordingStatus: z
      .enum(['waiting', 'ready', 'failed', 'deleted', 'none'])
      .exactOptional()
      .meta({ description: 'Only on recorded sessions.' }),
    recordingUrl: z
      .string()
      .exactOptional()
      .meta({ description: 'HLS playlist of the recording, once it is ready.' }),
    mp4URL: z.string().exactOptional().meta({ description: 'The recording as one MP4, once it is ready.' }),
    mp4Url: z
      .string()
      .exactOptional()
      .meta({ description: 'Same as mp4URL, in the spelling of newer clients.' }),
    recordingError: z
      .string()
      .exactOptional()
      .meta({ description: 'Why the recording is missing or incomplete. Absent if there was no problem.' }),
    recordingGaps: z
      .array(z.object({ from: timestamp, to: timestamp }))
      .exactOptional()
      .meta({
        description: 'Gaps in the recording, for example before a reconnect. Present once it is ready.',
      }),
  })
  .meta({ id: 'Session' });

export type Session = z.output<typeof session>;

export const listSessionsQuery = listQuery.extend({
  parentId: z.string().max(100).exactOptional().meta({ description: 'Only sessions of this parent stream.' }),
});

export const listStreamSessionsQuery = listQuery.extend({
  record: z
    .string()
    .max(100)
    .exactOptional()
    .meta({ description: '1: only recorded sessions; 0: only unrecorded sessions.', example: '1' }),
});

/** Fields for `filters` and `order`. */
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
