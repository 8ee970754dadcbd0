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
    name: z.string().meta({ description: 'Name of the stream when the session began.' }),
    parentId: uuid.meta({ description: 'The parent stream.' }),
    playbackId: playbackId.meta({ description: 'That of the parent stream.' }),
    createdAt: timestamp,
    lastSeen: timestamp.meta({ description: 'When media last arrived; 0 = never.' }),
    isActive: z.boolean().meta({ description: 'True while live and until the reconnect window has passed.' }),
    profiles,
    record: z.boolean().meta({ description: 'As the stream had it when the session began.' }),
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
      .meta({ description: 'The same as mp4URL, as newer clients spell it.' }),
    recordingError: z
      .string()
      .exactOptional()
      .meta({ description: 'Why nothing was recorded, or not everything; absent when all is well.' }),
    recordingGaps: z
      .array(z.object({ from: timestamp, to: timestamp }))
      .exactOptional()
      .meta({
        description: 'When nothing was recorded in between, such as before a reconnect; once it is ready.',
      }),
  })
  .meta({ id: 'Session' });

export type Session = z.output<typeof session>;

export const listSessionsQuery = listQuery.extend({
  parentId: z.string().max(100).exactOptional().meta({ description: 'Sessions of this parent stream only.' }),
});

export const listStreamSessionsQuery = listQuery.extend({
  record: z
    .string()
    .max(100)
    .exactOptional()
    .meta({ description: '1: recorded sessions only; 0: the others only.', example: '1' }),
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
