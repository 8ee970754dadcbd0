import { z } from 'zod';
import { deliveryMachine } from '@/lib/core/webhooks/delivery-state';
import { accessControlEvent, eventNames } from '@/lib/core/webhooks/events';
import { reason } from '@/lib/contract/reason';
import { projectId } from '@/lib/contract/assets/studio-options';
import { remoteUrl, text, timestamp, uuid, nameText } from '@/lib/contract/primitives';

/**
 * Names that a webhook can subscribe to. The last one is no event: a playback policy sends its requests to the webhook even
 * if `events` does not have it.
 */
const subscribableName = z.enum([...eventNames, accessControlEvent]);
const responseBodyStart = z.string().meta({ description: 'The start of the response body, as base64.' });

/** The last failed delivery of a webhook, as it is stored and returned. */
export const webhookFailure = z.object({
  timestamp,
  statusCode: z.int().exactOptional(),
  error: z.string().exactOptional(),
  errorReason: reason.exactOptional(),
  response: responseBodyStart.exactOptional(),
});

/** The webhook object, without its secret. */
export const webhook = z
  .object({
    id: uuid,
    kind: z.literal('webhook'),
    userId: uuid,
    name: z.string(),
    url: z.string(),
    events: z.array(subscribableName),
    createdAt: timestamp,
    streamId: uuid.exactOptional().meta({ description: 'Only events of this stream. Absent: all streams.' }),
    disabled: z.boolean().meta({ description: 'Nothing is sent while true.' }),
    disabledReason: z.enum(['gone', 'failing']).exactOptional().meta({
      description:
        'Why the service disabled the webhook: the receiver responded with 410, or every delivery failed for three days. Set disabled to false to enable it again.',
    }),
    status: z
      .object({
        lastTriggeredAt: timestamp.exactOptional(),
        lastFailure: webhookFailure.exactOptional(),
      })
      .exactOptional()
      .meta({ description: 'Absent until the first delivery.' }),
  })
  .meta({ id: 'Webhook' });

export type Webhook = z.output<typeof webhook>;

const settableFields = {
  name: nameText(500).meta({ description: 'Shown in the dashboard.' }),
  url: remoteUrl.max(2_000).meta({ description: 'URL that receives the deliveries.' }),
  events: z
    .array(subscribableName)
    .min(1)
    .max(eventNames.length + 1)
    .transform((names) => [...new Set(names)])
    .meta({ description: 'Names of the events to send.' }),
  sharedSecret: text(500, 8).exactOptional().meta({
    description: 'Secret with which the deliveries are signed. Generated if omitted. Never returned.',
  }),
  streamId: uuid
    .nullable()
    .exactOptional()
    .meta({ description: 'Only events of this stream. Null or omitted: all streams.' }),
  disabled: z.boolean().exactOptional().meta({ description: 'Default false.' }),
  projectId,
};

/** Body of POST and PUT, which take the same parameters. */
export const webhookBody = z.strictObject(settableFields);

export type WebhookBody = z.output<typeof webhookBody>;

/** Body of PATCH. */
export const updateWebhookBody = z.strictObject({
  ...settableFields,
  name: settableFields.name.exactOptional(),
  url: settableFields.url.exactOptional(),
  events: settableFields.events.exactOptional(),
});

/** Fields of the webhook object that a body may have although they can't be changed. They are ignored. */
export const webhookReadOnlyFields = [
  'id',
  'kind',
  'userId',
  'createdAt',
  'status',
  'disabledReason',
] as const;

/** Fields of webhooks for `filters` and `order`. */
export const webhookListFields = {
  id: { type: 'uuid' },
  name: { type: 'text' },
  url: { type: 'text' },
  createdAt: { type: 'timestamp' },
} as const;

/** The HTTP request of an attempt. */
export const webhookRequest = z.object({
  url: z.string(),
  method: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/** The HTTP response of an attempt. */
export const webhookResponse = z.object({
  status: z.int().exactOptional(),
  statusText: z.string().exactOptional(),
  headers: z
    .record(z.string(), z.string())
    .exactOptional()
    .meta({ description: 'Response headers that help with debugging.' }),
  body: responseBodyStart.exactOptional(),
});

/** One attempt of a delivery, as an entry of the webhook's log. */
export const webhookLog = z
  .object({
    id: uuid,
    webhookId: uuid,
    deliveryId: uuid.meta({ description: 'Equal for all attempts of one event.' }),
    event: z.string(),
    resourceId: uuid.exactOptional().meta({ description: 'The stream, asset or task of the event.' }),
    attempt: z.int().min(1).meta({ description: 'Number of this attempt within its delivery, from 1.' }),
    createdAt: timestamp,
    duration: z
      .number()
      .min(0)
      .exactOptional()
      .meta({ description: 'Seconds. Absent until the attempt is sent.' }),
    success: z.boolean(),
    error: z.string().exactOptional().meta({ description: 'Why the attempt failed.' }),
    errorReason: reason.exactOptional(),
    nextAttemptAt: timestamp
      .exactOptional()
      .meta({ description: 'When the next attempt is scheduled, if the delivery will be retried.' }),
    request: webhookRequest.exactOptional().meta({ description: 'Absent until the attempt is sent.' }),
    ip: z
      .string()
      .exactOptional()
      .meta({ description: 'The IP address of the receiver. Absent without a connection.' }),
    response: webhookResponse.exactOptional().meta({ description: 'Absent without a response.' }),
  })
  .meta({ id: 'WebhookLog' });

export type WebhookLog = z.output<typeof webhookLog>;

/** Fields of log entries for `filters` and `order`. */
export const webhookLogListFields = {
  id: { type: 'uuid' },
  deliveryId: { type: 'uuid' },
  createdAt: { type: 'timestamp' },
  event: { type: 'text' },
  statusCode: { type: 'int', nullable: true },
  success: { type: 'boolean' },
  resourceId: { type: 'uuid', nullable: true },
} as const;

/** One event for one webhook, with the state of all its attempts. */
export const webhookDelivery = z
  .object({
    id: uuid,
    eventId: uuid.meta({ description: 'The `id` of the payload.' }),
    event: z.string(),
    state: z.enum(deliveryMachine.states).meta({
      description:
        'pending: an attempt is due, planned or running. ok: the webhook accepted the event. failed: no attempts are left. skipped: the webhook was disabled.',
    }),
    attempts: z.int().min(0),
    test: z.boolean(),
    createdAt: timestamp,
    nextAttemptAt: timestamp.exactOptional().meta({ description: 'Only while pending.' }),
  })
  .meta({ id: 'WebhookDelivery' });

export type WebhookDelivery = z.output<typeof webhookDelivery>;

/** Fields of deliveries for `filters` and `order`. */
export const webhookDeliveryListFields = {
  id: { type: 'uuid' },
  state: { type: 'text', values: deliveryMachine.states },
  createdAt: { type: 'timestamp' },
} as const;
