import { z } from 'zod';
import { eventNames } from '@/lib/core/webhooks/events';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, listQuery, timestamp } from '@/lib/contract/primitives';
import { webhookDelivery, webhookLog } from './webhook';

/** Endpoints of webhooks for the dashboard only. */

const exampleId = '6a0c4d52-0f0b-4a53-9c0e-54a2f0d6b7c1';
const exampleDeliveryId = '3c1d2e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f';
const commonFields = { auth: 'session', corsKeyAllowed: false, tag: 'Webhooks', params: idParams } as const;
const resendResponse = z.object({
  resent: z.int().min(0).meta({ description: 'Number of deliveries that will be sent again.' }),
});

export const listWebhookDeliveries = defineEndpoint({
  ...commonFields,
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/dashboard/webhooks/{id}/deliveries',
  summary: 'List the deliveries of a webhook',
  description:
    'One entry per event, newest first. For the attempts of a delivery, filter the log by `deliveryId`.',
  query: listQuery,
  response: z.array(webhookDelivery),
  list: true,
  status: 200,
  errors: [400],
  example: {
    params: { id: exampleId },
    response: [
      {
        id: exampleDeliveryId,
        eventId: '8f14e45f-ceea-467f-9e2b-6c1a5d3b7e90',
        event: 'stream.started',
        state: 'pending',
        attempts: 2,
        test: false,
        createdAt: 1_767_225_600_000,
        nextAttemptAt: 1_767_225_612_500,
      },
    ],
  },
});

export const rollWebhookSecret = defineEndpoint({
  ...commonFields,
  id: 'rollWebhookSecret',
  method: 'POST',
  path: '/api/dashboard/webhooks/{id}/roll-secret',
  summary: 'Roll the secret of a webhook',
  description:
    'Creates a new secret. For 24 hours, deliveries are signed with both, so that receivers have time to switch. Requires the password.',
  body: z.strictObject({ password: z.string().max(1000) }),
  response: z.object({
    secret: z.string(),
    previousUntil: timestamp.meta({
      description: 'Until then, deliveries are also signed with the previous secret.',
    }),
  }),
  rateLimit: 'reveal',
  status: 200,
  errors: [],
  example: {
    params: { id: exampleId },
    body: { password: 'a long pass phrase' },
    response: {
      secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
      previousUntil: 1_767_312_000_000,
    },
  },
});

export const sendTestEvent = defineEndpoint({
  ...commonFields,
  id: 'sendTestEvent',
  method: 'POST',
  path: '/api/dashboard/webhooks/{id}/test',
  summary: 'Send a test event',
  description:
    'Delivers a sample payload with `test: true` to this webhook only, even if it is not subscribed to the event. Returns the log entry of the first attempt.',
  body: z.strictObject({ event: z.enum(eventNames).meta({ description: 'The event to send a sample of.' }) }),
  response: webhookLog,
  rateLimit: 'resend',
  status: 200,
  errors: [[409, 'The webhook is disabled.']],
  example: {
    params: { id: exampleId },
    body: { event: 'stream.started' },
    response: {
      id: 'd2f8a1b4-3c5e-4f60-8a7b-9c0d1e2f3a4b',
      webhookId: exampleId,
      deliveryId: exampleDeliveryId,
      event: 'stream.started',
      attempt: 1,
      createdAt: 1_767_225_600_000,
      success: false,
    },
  },
});

export const resendFailedDeliveries = defineEndpoint({
  ...commonFields,
  id: 'resendFailedDeliveries',
  method: 'POST',
  path: '/api/dashboard/webhooks/{id}/resend-failed',
  summary: 'Resend failed deliveries',
  description:
    'Resends failed and skipped deliveries, oldest first, at most 5,000 per call. Each is retried like a new delivery.',
  response: resendResponse,
  rateLimit: 'resend',
  status: 200,
  errors: [[409, 'The webhook is disabled.']],
  example: { params: { id: exampleId }, response: { resent: 12 } },
});

export const replayEvents = defineEndpoint({
  ...commonFields,
  id: 'replayEvents',
  method: 'POST',
  path: '/api/dashboard/webhooks/{id}/replay',
  summary: 'Replay a time range',
  description:
    'Resends every event in the range that the webhook is now subscribed to, including accepted ones and events from before the webhook was created. Events are kept for 30 days; at most 5,000 per call.',
  body: z
    .strictObject({ from: timestamp, to: timestamp })
    .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be after from' }),
  response: resendResponse,
  rateLimit: 'resend',
  status: 200,
  errors: [[409, 'The webhook is disabled.']],
  example: {
    params: { id: exampleId },
    body: { from: 1_767_225_600_000, to: 1_767_229_200_000 },
    response: { resent: 40 },
  },
});

export const webhookDashboardEndpoints = [
  rollWebhookSecret,
  listWebhookDeliveries,
  sendTestEvent,
  resendFailedDeliveries,
  replayEvents,
] as const;
