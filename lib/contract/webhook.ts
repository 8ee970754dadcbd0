import { z } from 'zod';
import { eventNames } from '@/lib/core/events';
import { listQuery } from './list-query';
import { text, timestamp, uuid } from './primitives';

const event = z.enum(eventNames);

/** The webhook object (specification §2.6, api-contract §4.6). The secret is never in it. */
export const webhook = z
  .object({
    id: uuid,
    kind: z.literal('webhook'),
    userId: uuid,
    name: z.string(),
    url: z.string(),
    events: z.array(event),
    createdAt: timestamp,
    streamId: uuid.exactOptional().meta({ description: 'Only events of this stream; absent = all streams.' }),
    disabled: z.boolean(),
    status: z
      .object({
        lastTriggeredAt: timestamp.exactOptional(),
        lastFailure: z
          .object({
            timestamp,
            statusCode: z.int().exactOptional(),
            error: z.string().exactOptional(),
            response: z.string().exactOptional().meta({ description: 'Head of the reply, base64.' }),
          })
          .exactOptional(),
      })
      .exactOptional(),
  })
  .meta({ id: 'Webhook' });

export type Webhook = z.output<typeof webhook>;

const settable = {
  name: text(500, 1),
  url: text(2_000, 1)
    .regex(/^https?:\/\//, { error: 'must be an http:// or https:// URL' })
    .meta({ description: 'Address that receives the POSTs.' }),
  events: z
    .array(event)
    .min(1)
    .max(eventNames.length)
    .transform((names) => [...new Set(names)])
    .meta({ description: 'Names of the events to send (specification §6).' }),
  sharedSecret: text(500, 8)
    .exactOptional()
    .meta({ description: 'Signs the deliveries; one is made when left out. It is never returned.' }),
  streamId: uuid.nullable().exactOptional().meta({ description: 'Only events of this stream.' }),
  disabled: z.boolean().exactOptional(),
};

export const webhookBody = z.strictObject(settable);

export const updateWebhookBody = z.strictObject({
  ...settable,
  name: settable.name.exactOptional(),
  url: settable.url.exactOptional(),
  events: settable.events.exactOptional(),
});

export const webhookReadOnlyFields = ['id', 'kind', 'userId', 'createdAt', 'status'] as const;

export const listWebhooksQuery = listQuery;

/** Fields for `filters` and `order` (api-contract §2.1). */
export const webhookListFields = {
  id: { type: 'uuid' },
  name: { type: 'text' },
  url: { type: 'text' },
  createdAt: { type: 'timestamp' },
} as const;

/** One attempt of a delivery (api-contract §7). */
export const webhookLog = z
  .object({
    id: uuid,
    webhookId: uuid,
    event: z.string(),
    createdAt: timestamp,
    duration: z.number().min(0).meta({ description: 'Seconds.' }),
    success: z.boolean(),
    request: z.object({
      url: z.string(),
      method: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }),
    response: z
      .object({
        status: z.int().exactOptional(),
        statusText: z.string().exactOptional(),
        body: z.string().exactOptional().meta({ description: 'Head of the reply, base64.' }),
      })
      .exactOptional(),
  })
  .meta({ id: 'WebhookLog' });

export type WebhookLog = z.output<typeof webhookLog>;

/** Fields for `filters` and `order` (api-contract §2.1); `success` is the text "true" or "false" there. */
export const webhookLogListFields = {
  id: { type: 'uuid' },
  createdAt: { type: 'timestamp' },
  event: { type: 'text' },
  success: { type: 'boolean' },
} as const;
