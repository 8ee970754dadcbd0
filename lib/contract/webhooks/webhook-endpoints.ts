import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { warnings } from '@/lib/contract/assets/studio-options';
import { idParams, listQuery } from '@/lib/contract/primitives';
import { updateWebhookBody, webhook, webhookBody, webhookReadOnlyFields } from './webhook';

const exampleId = '6a0c4d52-0f0b-4a53-9c0e-54a2f0d6b7c1';
const exampleBody = {
  name: 'Chat bot',
  url: 'https://example.com/hooks/headwater',
  events: ['stream.started', 'stream.idle'],
};
const webhookExample = {
  id: exampleId,
  kind: 'webhook',
  userId: '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52',
  ...exampleBody,
  createdAt: 1_767_225_600_000,
  disabled: false,
};

const commonFields = { auth: 'key-or-session', corsKeyAllowed: false, tag: 'Webhooks' } as const;

export const createWebhook = defineEndpoint({
  ...commonFields,
  id: 'createWebhook',
  method: 'POST',
  path: '/api/webhook',
  summary: 'Create a webhook',
  description:
    'New events with these names are sent to the URL with POST. Private and local addresses are rejected unless the operator allows them. At most 50 webhooks per team.',
  body: webhookBody,
  readOnlyFields: webhookReadOnlyFields,
  response: webhook.extend({ warnings }),
  status: 201,
  studio: { status: 200 },
  errors: [[409, 'The team has the maximum number of webhooks.']],
  example: { body: exampleBody, response: webhookExample },
});

export const listWebhooks = defineEndpoint({
  ...commonFields,
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/webhook',
  summary: 'List webhooks',
  description: 'Webhooks of the team, newest first.',
  query: listQuery,
  response: z.array(webhook),
  list: true,
  status: 200,
  errors: [400],
  example: { response: [webhookExample] },
});

export const getWebhook = defineEndpoint({
  ...commonFields,
  id: 'getWebhook',
  method: 'GET',
  path: '/api/webhook/{id}',
  summary: 'Retrieve a webhook',
  description: 'One webhook of the team, without its secret.',
  params: idParams,
  response: webhook,
  status: 200,
  errors: [],
  example: { params: { id: exampleId }, response: webhookExample },
});

export const replaceWebhook = defineEndpoint({
  ...commonFields,
  id: 'replaceWebhook',
  method: 'PUT',
  path: '/api/webhook/{id}',
  summary: 'Replace a webhook',
  description:
    'Takes the same body as POST. Omitted fields get their defaults, except `sharedSecret`, which is kept.',
  params: idParams,
  body: webhookBody,
  readOnlyFields: webhookReadOnlyFields,
  response: webhook.extend({ warnings }),
  status: 200,
  errors: [],
  example: { params: { id: exampleId }, body: exampleBody, response: webhookExample },
});

export const updateWebhook = defineEndpoint({
  ...commonFields,
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/api/webhook/{id}',
  summary: 'Change a webhook',
  description: 'Changes the fields in the body. Omitted fields keep their values.',
  params: idParams,
  body: updateWebhookBody,
  readOnlyFields: webhookReadOnlyFields,
  status: 204,
  errors: [],
  example: { params: { id: exampleId }, body: { disabled: true } },
});

export const deleteWebhook = defineEndpoint({
  ...commonFields,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhook/{id}',
  summary: 'Delete a webhook',
  description: 'Pending deliveries are cancelled and the delivery log is deleted.',
  params: idParams,
  status: 204,
  // The client of the Studio API throws if the response to a deletion is not the deleted object.
  studio: { status: 200, response: webhook },
  errors: [],
  example: { params: { id: exampleId } },
});

/** Reveals the secret of a webhook, in the dashboard only. */
export const revealWebhookSecret = defineEndpoint({
  auth: 'session',
  corsKeyAllowed: false,
  tag: 'Webhooks',
  id: 'revealWebhookSecret',
  method: 'POST',
  path: '/api/dashboard/webhooks/{id}/reveal',
  summary: 'Show the secret of a webhook',
  description: 'Requires the password. At most ten times per hour. Every call is recorded in the audit log.',
  params: idParams,
  body: z.strictObject({ password: z.string().max(1000) }),
  response: z.object({ secret: z.string() }),
  rateLimit: 'reveal',
  status: 200,
  errors: [],
  example: {
    params: { id: exampleId },
    body: { password: 'a long pass phrase' },
    response: { secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=' },
  },
});

export const webhookEndpoints = [
  createWebhook,
  listWebhooks,
  getWebhook,
  replaceWebhook,
  updateWebhook,
  deleteWebhook,
  revealWebhookSecret,
] as const;
