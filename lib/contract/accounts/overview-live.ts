import { z } from 'zod';
import { publicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { playbackId, timestamp, uuid } from '@/lib/contract/primitives';
import { reasons } from '@/lib/contract/reason';

const count = z.int().min(0);

/** Numbers of multistream targets, without disabled ones. */
export const targetCount = z.object({
  connected: count.meta({ description: 'Targets that receive the stream.' }),
  count,
});

/** A live stream on the home page of the dashboard. */
export const liveStream = z
  .object({
    id: uuid,
    name: z.string(),
    playbackId,
    since: timestamp.meta({ description: 'When the session started.' }),
    onAirSeconds: z
      .number()
      .min(0)
      .meta({ description: "Duration of the session's video, without the time off air." }),
    viewers: count.meta({ description: 'Current viewers.' }),
    bitrate: count.nullable().meta({ description: 'Bits per second. Null if not measured recently.' }),
    isHealthy: z.boolean().nullable(),
    issues: z.array(z.string()).nullable(),
    issueReasons: reasons.exactOptional(),
    targets: targetCount
      .exactOptional()
      .meta({ description: 'Multistream targets of the stream, without disabled ones. Absent: none.' }),
    playbackPolicy: publicPlaybackPolicy
      .exactOptional()
      .meta({ description: 'Who may watch. Absent: anyone with the playback id.' }),
  })
  .meta({ id: 'LiveStream' });

export type LiveStream = z.output<typeof liveStream>;
