import { z } from 'zod';
import { listQuery } from './list-query';
import { text, timestamp, uuid } from './primitives';

/** ffmpeg reads some of these characters in a URL as syntax of its own (reliability §1.4 item 8). */
const targetUrl = text(2_000, 1).regex(/^(srt|rtmps?):\/\/[^|[\]\s'"\\]+$/, {
  error: 'must be an rtmp://, rtmps:// or srt:// URL',
});

/** A multistream target (specification §2.5). `url` is in the answer to its creation and nowhere else. */
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
  .extend({ url: z.string().meta({ description: 'Only here: it cannot be read back.' }) })
  .meta({ id: 'CreatedMultistreamTarget' });

export type MultistreamTarget = z.output<typeof multistreamTarget>;
export type CreatedMultistreamTarget = z.output<typeof createdMultistreamTarget>;

/** What makes a target; also where a stream describes one on the spot. */
export const targetSpec = z.strictObject({
  url: targetUrl.meta({ description: 'Where the platform takes streams, key included.' }),
  name: text(500).exactOptional().meta({ description: 'The host of url when left out.' }),
});

export const createTargetBody = targetSpec.extend({
  disabled: z.boolean().exactOptional().meta({ description: 'Nothing is sent while true.' }),
});

export const updateTargetBody = z.strictObject({
  name: text(500).exactOptional().meta({ description: 'An empty name is ignored.' }),
  url: targetUrl.exactOptional().meta({ description: 'In full: the saved one cannot be read back.' }),
  disabled: z.boolean().exactOptional().meta({ description: 'Nothing is sent while true.' }),
});

export const listTargetsQuery = listQuery.extend({
  userId: z
    .string()
    .max(100)
    .exactOptional()
    .meta({ description: 'Ignored: the list is always that of the caller.' }),
});

export const targetReadOnlyFields = ['id', 'userId', 'createdAt'] as const;

/** Fields for `filters` and `order` (api-contract §2.1). */
export const targetListFields = {
  id: { type: 'uuid' },
  name: { type: 'text' },
  disabled: { type: 'boolean' },
  createdAt: { type: 'timestamp' },
} as const;
