import { z } from 'zod';
import { deliveryMachine } from '@/lib/core/webhooks/delivery-state';
import { eventNames, streamScopedEventNames } from '@/lib/core/webhooks/events';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { commonEventFields } from './event';
import { createSampleEvent } from './event-samples';
import { idParams, listQuery, uuid } from '@/lib/contract/primitives';
import { reason } from '@/lib/contract/reason';

/** An event as clients read it from the API: the body of a delivery without the fields of the webhook. */
const happenedEvent = z
  .object({
    id: commonEventFields.id,
    createdAt: commonEventFields.createdAt,
    event: z.enum(eventNames),
    test: commonEventFields.test,
    sequence: z.int().exactOptional(),
    stream: z.record(z.string(), z.json()).exactOptional(),
    payload: z.record(z.string(), z.json()).exactOptional(),
  })
  .meta({ id: 'HappenedEvent' });

export type HappenedEventObject = z.output<typeof happenedEvent>;

const { id, createdAt, event, stream, sequence = 1 } = createSampleEvent('stream.started');

/** Endpoint for development. `npm run cli -- listen` reads events from it and forwards them (docs/webhooks.md). */
export const readEvents = defineEndpoint({
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Webhooks',
  id: 'readEvents',
  method: 'GET',
  path: '/api/event',
  summary: 'Wait for events of the team',
  description:
    'Without `after`, returns no events, only the cursor of the current position. With `after`, returns the events after that position, at most 100, each exactly once. If there are none, the response waits up to `wait` seconds for the first one. Events are kept for 30 days.',
  query: z.object({
    after: z
      .string()
      .max(100)
      .exactOptional()
      .meta({ description: 'The `cursor` of the previous response.' }),
    wait: z
      .string()
      .regex(/^([0-9]|1[0-9]|2[0-5])$/, { error: 'must be 0 to 25 (seconds)' })
      .exactOptional()
      .meta({ description: 'Seconds, 0 to 25. Default 0.' }),
  }),
  response: z.object({
    events: z.array(happenedEvent),
    cursor: z.string().meta({ description: 'Opaque. Pass it as `after` in the next call.' }),
  }),
  status: 200,
  errors: [400],
  example: {
    response: { events: [{ id, createdAt, event, sequence, stream }], cursor: 'NzQxLjhmMTRlNDVm' },
  },
});

/** An event of a stream with the state of its deliveries. */
const streamEvent = z
  .object({
    id: commonEventFields.id,
    createdAt: commonEventFields.createdAt,
    event: z.enum(streamScopedEventNames),
    sequence: z.int().meta({ description: 'Sequence number of the event within its stream.' }),
    payload: z
      .record(z.string(), z.json())
      .exactOptional()
      .meta({ description: 'The payload of the delivery, without the stream object.' }),
    reason: reason.exactOptional().meta({
      description:
        'For `stream.rejected` and `multistream.error`: the message of the payload as code and parameters.',
    }),
    deliveries: z
      .array(
        z.object({
          id: uuid,
          webhookId: uuid,
          webhookName: z.string(),
          state: z.enum(deliveryMachine.states).meta({
            description:
              'pending: an attempt is due, planned or running. ok: the webhook accepted the event. failed: no attempts are left. skipped: the webhook was disabled.',
          }),
        }),
      )
      .meta({
        description: 'The webhooks that the event was sent to. Deleted webhooks are omitted; at most 20.',
      }),
  })
  .meta({ id: 'StreamEventEntry' });

export type StreamEvent = z.output<typeof streamEvent>;

/** Fields of the events of a stream for `filters` and `order`. */
export const streamEventListFields = {
  id: { type: 'uuid' },
  event: { type: 'text', column: 'name' },
  sequence: { type: 'int' },
  createdAt: { type: 'timestamp' },
} as const;

/** Endpoint with the events of one stream, for clients without a webhook. */
export const listStreamEvents = defineEndpoint({
  id: 'listStreamEvents',
  method: 'GET',
  path: '/api/stream/{id}/events',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'List the events of a stream',
  description:
    'Events of the stream, its recordings and its targets, newest first, with the webhooks they were sent to. Events are kept for 30 days.',
  params: idParams,
  query: listQuery,
  response: z.array(streamEvent),
  list: true,
  status: 200,
  errors: [400],
  example: {
    params: { id: 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10' },
    response: [
      {
        id,
        createdAt,
        event: 'stream.started',
        sequence,
        deliveries: [
          {
            id: '3c1d2e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f',
            webhookId: '6a0c4d52-0f0b-4a53-9c0e-54a2f0d6b7c1',
            webhookName: 'Chat bot',
            state: 'ok',
          },
        ],
      },
    ],
  },
});

export const eventEndpoints = [listStreamEvents, readEvents] as const;
