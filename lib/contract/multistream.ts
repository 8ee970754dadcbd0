import { z } from 'zod';
import { targetStates } from '@/lib/core/target-state';
import { listQuery } from './list-query';
import { text, timestamp, uuid } from './primitives';

/** Characters that ffmpeg would interpret in a URL. */
const targetUrl = text(2_000, 1).regex(/^(srt|rtmps?):\/\/[^|[\]\s'"\\]+$/, {
  error: 'must be an rtmp://, rtmps:// or srt:// URL',
});

/** A multistream target. Only the answer to its creation includes `url`. */
export const multistreamTarget = z
  .object({
    id: uuid,
    userId: uuid,
    name: z.string(),
    disabled: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'MultistreamTarget' });

export const createdMultistreamTarget = multistreamTarget
  .extend({ url: z.string().meta({ description: 'Write-only. It is never returned again.' }) })
  .meta({ id: 'CreatedMultistreamTarget' });

export type MultistreamTarget = z.output<typeof multistreamTarget>;
export type CreatedMultistreamTarget = z.output<typeof createdMultistreamTarget>;

/** What makes a target; also where a stream describes one on the spot. */
export const targetSpec = z.strictObject({
  url: targetUrl.meta({ description: 'The ingest URL of the platform, including the stream key.' }),
  name: text(500).exactOptional().meta({ description: 'Defaults to the host of url.' }),
});

export const createTargetBody = targetSpec.extend({
  disabled: z.boolean().exactOptional().meta({ description: 'Nothing is sent while true.' }),
});

export const updateTargetBody = z.strictObject({
  name: text(500).exactOptional().meta({ description: 'An empty name is ignored.' }),
  url: targetUrl
    .exactOptional()
    .meta({ description: 'The full URL, including the stream key. The saved one is never returned.' }),
  disabled: z.boolean().exactOptional().meta({ description: 'Nothing is sent while true.' }),
});

export const listTargetsQuery = listQuery.extend({
  userId: z
    .string()
    .max(100)
    .exactOptional()
    .meta({ description: 'Ignored: the list always belongs to the caller.' }),
});

/** The status of one target of a stream. */
export const targetStatus = z
  .object({
    id: uuid.meta({ description: 'The target.' }),
    name: z.string(),
    profile: z.string().meta({ description: 'The rendition that is sent; "source" is the unprocessed one.' }),
    videoOnly: z.boolean(),
    disabled: z.boolean(),
    state: z.enum(targetStates).meta({
      description:
        'disconnected: nothing is sent. waiting: there is nothing to send at the moment. connecting: an attempt ' +
        'runs. connected: media passes. error: it failed and is tried again soon.',
    }),
    since: timestamp.meta({ description: 'When it entered this state; 0 = nothing was ever sent.' }),
    uptime: z.number().min(0).meta({ description: 'Seconds of uninterrupted media.' }),
    bitrate: z.number().min(0).meta({ description: 'Current bits per second.' }),
    lastError: z
      .object({ message: z.string(), at: timestamp })
      .nullable()
      .meta({ description: 'The last failure, without the url. It stays after a recovery.' }),
  })
  .meta({ id: 'TargetStatus' });

export type TargetStatus = z.output<typeof targetStatus>;

export const targetReadOnlyFields = ['id', 'userId', 'createdAt'] as const;

/** Fields for `filters` and `order`. */
export const targetListFields = {
  id: { type: 'uuid' },
  name: { type: 'text' },
  disabled: { type: 'boolean' },
  createdAt: { type: 'timestamp' },
} as const;
