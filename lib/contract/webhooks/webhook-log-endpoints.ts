import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, listQuery, uuid } from '@/lib/contract/primitives';
import { webhookLog } from './webhook';

const exampleId = '6a0c4d52-0f0b-4a53-9c0e-54a2f0d6b7c1';
const exampleLogId = 'd2f8a1b4-3c5e-4f60-8a7b-9c0d1e2f3a4b';
const scheduledExample = {
  id: exampleLogId,
  webhookId: exampleId,
  deliveryId: '3c1d2e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f',
  event: 'stream.started',
  resourceId: 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10',
  attempt: 2,
  createdAt: 1_767_225_605_000,
  success: false,
};
const sentExample = {
  ...scheduledExample,
  attempt: 1,
  createdAt: 1_767_225_600_000,
  duration: 0.042,
  error: 'the receiver answered 500',
  nextAttemptAt: 1_767_225_605_000,
  request: {
    url: 'https://example.com/hooks/headwater',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"event":"stream.started"}',
  },
  ip: '198.51.100.7',
  response: {
    status: 500,
    statusText: 'Internal Server Error',
    headers: { 'content-type': 'text/plain' },
    body: 'b29wcw==',
  },
};

const logParams = z.object({ id: uuid, logId: uuid });
const commonFields = { auth: 'key-or-session', corsKeyAllowed: false, tag: 'Webhooks' } as const;

export const listWebhookLogs = defineEndpoint({
  ...commonFields,
  id: 'listWebhookLogs',
  method: 'GET',
  path: '/api/webhook/{id}/log',
  summary: 'List delivery attempts',
  description: 'One entry per attempt, newest first. Without `limit`, returns the newest 500.',
  params: idParams,
  query: listQuery,
  response: z.array(webhookLog),
  list: true,
  status: 200,
  errors: [400],
  example: { params: { id: exampleId }, response: [sentExample] },
});

export const getWebhookLog = defineEndpoint({
  ...commonFields,
  id: 'getWebhookLog',
  method: 'GET',
  path: '/api/webhook/{id}/log/{logId}',
  summary: 'Retrieve a delivery attempt',
  description: 'One attempt with its request and its response.',
  params: logParams,
  response: webhookLog,
  status: 200,
  errors: [],
  example: { params: { id: exampleId, logId: exampleLogId }, response: sentExample },
});

export const resendWebhookLog = defineEndpoint({
  ...commonFields,
  id: 'resendWebhookLog',
  method: 'POST',
  path: '/api/webhook/{id}/log/{logId}/resend',
  summary: 'Resend an event',
  description:
    'Sends the delivery again with the same event id, and retries it like a new one. At most ten times per minute and webhook. Returns a new log entry, which has no request or response until the attempt is sent. Until then, another call returns the same entry.',
  params: logParams,
  response: webhookLog,
  rateLimit: 'resend',
  status: 200,
  errors: [[409, 'The webhook is disabled.']],
  example: { params: { id: exampleId, logId: exampleLogId }, response: scheduledExample },
});

export const webhookLogEndpoints = [listWebhookLogs, getWebhookLog, resendWebhookLog] as const;
