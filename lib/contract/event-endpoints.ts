import { z } from 'zod';
import { eventNames } from '@/lib/core/events';
import { defineEndpoint } from './define-endpoint';
import { eventHead } from './event';
import { sampleEvent } from './event-samples';

/** An event as it is read over the API: a delivery without a webhook. */
const happenedEvent = z
  .object({
    id: eventHead.id,
    createdAt: eventHead.createdAt,
    event: z.enum(eventNames),
    test: eventHead.test,
    sequence: z.int().exactOptional(),
    stream: z.record(z.string(), z.json()).exactOptional(),
    payload: z.record(z.string(), z.json()).exactOptional(),
  })
  .meta({ id: 'HappenedEvent' });

export type HappenedEventObject = z.output<typeof happenedEvent>;

const { id, createdAt, event, stream, sequence = 1 } = sampleEvent('stream.started');

/** For development: `npm run cli -- listen` forwards what it reads here (docs/webhooks.md). */
export const readEvents = defineEndpoint({
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Webhooks',
  id: 'readEvents',
  method: 'GET',
  path: '/api/event',
  summary: 'Read the events of the account as they happen',
  description:
    'Without `after` nothing but a cursor: the present. With it the events since, at most 100 and each of them once; when there are none yet, the answer waits for the first one for up to `wait` seconds. No event is left out, whatever happens at the same time. Events are kept for 30 days.',
  query: z.object({
    after: z
      .string()
      .max(100)
      .exactOptional()
      .meta({ description: 'The `cursor` of the answer before this one.' }),
    wait: z
      .string()
      .regex(/^([0-9]|1[0-9]|2[0-5])$/, { error: 'must be 0 to 25 (seconds)' })
      .exactOptional()
      .meta({ description: 'Seconds, 0 to 25; 0 when left out.' }),
  }),
  response: z.object({
    events: z.array(happenedEvent),
    cursor: z.string().meta({ description: 'Opaque; for `after` of the next call.' }),
  }),
  status: 200,
  errors: [400],
  example: {
    response: { events: [{ id, createdAt, event, sequence, stream }], cursor: 'NzQxLjhmMTRlNDVm' },
  },
});
