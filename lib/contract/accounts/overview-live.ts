import { z } from 'zod';
import { publicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { playbackId, timestamp, uuid } from '@/lib/contract/primitives';
import { reasons } from '@/lib/contract/reason';

const count = z.int().min(0);

/** Numbers of multistream targets. Disabled targets are not counted. */
export const targetCounts = z.object({
  connected: count.meta({ description: 'Targets that receive the stream.' }),
  count: count.meta({ description: 'All targets that are not disabled.' }),
});

/** A live stream on the home page of the dashboard. */
export const liveStream = z
  .object({
    id: uuid.meta({ description: 'Id of the stream.' }),
    name: z.string(),
    playbackId,
    since: timestamp.meta({ description: 'When the current session of the stream started.' }),
    onAirSeconds: z
      .number()
      .min(0)
      .meta({ description: "Duration of the session's video, without the time off air." }),
    viewers: count.meta({ description: 'Current viewers.' }),
    bitrate: count
      .nullable()
      .meta({ description: 'Ingest bitrate in bits per second. Null if not measured recently.' }),
    isHealthy: z
      .boolean()
      .nullable()
      .meta({ description: "Whether the encoder's media has no problems. Null until it is checked." }),
    issues: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Problems of the incoming media and how to fix them. Null if there are none.' }),
    issueReasons: reasons
      .exactOptional()
      .meta({ description: 'Reasons of the `issues`, in the same order. Absent if no issue has one.' }),
    targets: targetCounts.exactOptional().meta({
      description: 'Multistream targets of the stream, without disabled ones. Absent if the stream has none.',
    }),
    playbackPolicy: publicPlaybackPolicy.exactOptional().meta({
      description:
        'Who may watch: the part of the playback policy that anyone may see. Absent: anyone with the playback id.',
    }),
  })
  .meta({ id: 'LiveStream' });

export type LiveStream = z.output<typeof liveStream>;
