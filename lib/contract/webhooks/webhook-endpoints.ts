import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { warnings } from '@/lib/contract/assets/studio-options';
import { idParams } from '@/lib/contract/primitives';
import { listWebhooksQuery, updateWebhookBody, webhook, webhookBody, webhookReadOnlyFields } from './webhook';

const id = '6a0c4d52-0f0b-4a53-9c0e-54a2f0d6b7c1';
const settings = {
  name: 'Chat bot',
  url: 'https://example.com/hooks/headwater',
  events: ['stream.started', 'stream.idle'],
};
const webhookExample = {
  id,
  kind: 'webhook',
  userId: '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52',
  ...settings,
  createdAt: 1_767_225_600_000,
  disabled: false,
};

const common = { auth: 'key-or-session', corsKeyAllowed: false, tag: 'Webhooks' } as const;

export const createWebhook = defineEndpoint({
  ...common,
  id: 'createWebhook',
  method: 'POST',
  path: '/api/webhook',
  summary: 'Create a webhook',
  description:
    'New events with these names are sent to the url with POST. Private and local addresses are rejected unless the operator allows them. At most 50 webhooks per team.',
  body: webhookBody,
  readOnlyFields: webhookReadOnlyFields,
  response: webhook.extend({ warnings }),
  status: 201,
  studio: { status: 200 },
  errors: [[409, 'The team has the maximum number of webhooks.']],
  example: { body: settings, response: webhookExample },
});

export const listWebhooks = defineEndpoint({
  ...common,
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/webhook',
  summary: 'List webhooks',
  description: 'Webhooks of the team, newest first.',
  query: listWebhooksQuery,
  response: z.array(webhook),
  list: true,
  status: 200,
  errors: [400],
  example: { response: [webhookExample] },
});

export const getWebhook = defineEndpoint({
  ...common,
  id: 'getWebhook',
  method: 'GET',
  path: '/api/webhook/{id}',
  summary: 'Retrieve a webhook',
  description: 'One webhook of the team, without its secret.',
  params: idParams,
  response: webhook,
  status: 200,
  errors: [],
  example: { params: { id }, response: webhookExample },
});

export const replaceWebhook = defineEndpoint({
  ...common,
  id: 'replaceWebhook',
  method: 'PUT',
  path: '/api/webhook/{id}',
  summary: 'Replace a webhook',
  description:
    'Takes the same parameters as create. Omitted fields get their defaults, except sharedSecret, which is kept.',
  params: idParams,
  body: webhookBody,
  readOnlyFields: webhookReadOnlyFields,
  response: webhook.extend({ warnings }),
  status: 200,
  errors: [],
  example: { params: { id }, body: settings, response: webhookExample },
});

export const updateWebhook = defineEndpoint({
  ...common,
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
  example: { params: { id }, body: { disabled: true } },
});

export const deleteWebhook = defineEndpoint({
  ...common,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhook/{id}',
  summary: 'Delete a webhook',
  description: 'Pending deliveries are cancelled and the log is deleted.',
  params: idParams,
  status: 204,
  // The client of the Studio API throws if the response to a deletion is not the deleted object.
  studio: { status: 200, response: webhook },
  errors: [],
  example: { params: { id } },
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
    params: { id },
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
