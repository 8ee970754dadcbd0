import { z } from 'zod';
import { keyDisabledReasons, keyScopes } from '@/lib/core/access/key-policy';
import { parseOrigin } from '@/lib/core/access/origin';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, timestamp, uuid, nameText } from '@/lib/contract/primitives';

/** Schema of an allowed origin: `scheme://host[:port]`, or `*` for any origin. It is stored in canonical form. */
const allowedOrigin = z
  .string()
  .max(300)
  .refine((value) => value === '*' || parseOrigin(value) !== null, {
    error: 'must be scheme://host[:port] for example https://example.com, or * for any origin',
  })
  .transform((value) => parseOrigin(value) ?? value);

/** An API key as the dashboard lists it, without its secret. */
export const apiKey = z
  .object({
    id: uuid,
    name: z.string(),
    last4: z.string().meta({ description: 'Last four characters of the secret.' }),
    allowedOrigins: z.array(z.string()).meta({ description: 'Empty for a backend key.' }),
    fullAccess: z.boolean(),
    scopes: z.array(z.enum(keyScopes)),
    expiresAt: timestamp.nullable().meta({ description: 'Null: never.' }),
    createdAt: timestamp,
    createdBy: z.string().nullable().meta({
      description: 'Email address of the person; null: the server operator, or an account that was deleted.',
    }),
    disabled: z.enum(keyDisabledReasons).nullable().meta({
      description:
        'Why the key is disabled. creator_left: the person who created it left the team, or their account was suspended or deleted. creator_role: their role is lower than the key needs. Null: the key works.',
    }),
    lastUsedAt: timestamp.nullable(),
    lastIp: z.string().nullable().meta({ description: 'IP address of the last request.' }),
    usage: z.array(z.object({ day: z.iso.date(), calls: z.int() })).meta({
      description:
        'Requests per day (UTC) in the last 30 days, oldest first. Days without requests are omitted.',
    }),
  })
  .meta({ id: 'ApiKey' });

export type ApiKey = z.output<typeof apiKey>;

export const createApiKeyBody = z.strictObject({
  name: nameText(100).meta({ description: 'Shown in the dashboard and in the audit log.' }),
  allowedOrigins: z.array(allowedOrigin).max(50).default([]).meta({
    description:
      'Origins of the web pages that may use the key. With at least one, it is a CORS-enabled key.',
  }),
  fullAccess: z
    .boolean()
    .default(false)
    .meta({ description: 'Lets a CORS-enabled key call every endpoint that accepts keys.' }),
  scopes: z.array(z.enum(keyScopes)).min(1).max(keyScopes.length).default(['all']).meta({
    description:
      'read: every GET, without stream keys. streams, assets, webhooks: read and change these. all: everything; requires the role admin.',
  }),
  expiresAt: timestamp.nullable().default(null).meta({ description: 'When the key expires; null: never.' }),
});

const exampleId = '5d0f0f0e-8a43-4d6e-9f0b-1c2d3e4f5a6b';
const apiKeyExample = {
  id: exampleId,
  name: 'Website',
  last4: 'x7Qa',
  allowedOrigins: ['https://example.com'],
  fullAccess: false,
  scopes: ['streams' as const],
  expiresAt: null,
  createdAt: 1_767_225_600_000,
  createdBy: 'ada@example.com',
  disabled: null,
  lastUsedAt: null,
  lastIp: null,
  usage: [],
};
const secretExample = 'lsk_0123456789abcdefghijABCDEFGHIJ01AbCdEf';

/**
 * Fields of all endpoints of API keys. They require the role `developer`, because the secret of a key gives its scopes to
 * anyone who sees it.
 */
const dashboardEndpoint = {
  auth: 'session',
  corsKeyAllowed: false,
  role: 'developer',
  tag: 'API keys',
} as const;

export const listApiKeys = defineEndpoint({
  ...dashboardEndpoint,
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/dashboard/api-keys',
  summary: 'List API keys',
  description:
    'All keys of the team, newest first, without their secrets. Keys of a person who left the team are disabled.',
  response: z.array(apiKey),
  status: 200,
  errors: [],
  example: { response: [apiKeyExample] },
});

export const createApiKey = defineEndpoint({
  ...dashboardEndpoint,
  id: 'createApiKey',
  method: 'POST',
  path: '/api/dashboard/api-keys',
  summary: 'Create an API key',
  description:
    'Returns the secret. Without origins, the key is a backend key; with origins, a CORS-enabled key.',
  body: createApiKeyBody,
  response: apiKey.extend({ secret: z.string() }).meta({ id: 'CreatedApiKey' }),
  status: 201,
  errors: [[409, 'The team has the maximum number of API keys.']],
  example: {
    body: { name: 'Website', allowedOrigins: ['https://example.com'], scopes: ['streams'] },
    response: { ...apiKeyExample, secret: secretExample },
  },
});

export const deleteApiKey = defineEndpoint({
  ...dashboardEndpoint,
  id: 'deleteApiKey',
  method: 'DELETE',
  path: '/api/dashboard/api-keys/{id}',
  summary: 'Delete an API key',
  description: 'The key stops working immediately.',
  params: idParams,
  status: 204,
  errors: [],
  example: { params: { id: exampleId } },
});

export const revealApiKey = defineEndpoint({
  ...dashboardEndpoint,
  id: 'revealApiKey',
  method: 'POST',
  path: '/api/dashboard/api-keys/{id}/reveal',
  summary: 'Show the secret of an API key again',
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
    response: { secret: secretExample },
  },
});

export const apiKeyEndpoints = [listApiKeys, createApiKey, deleteApiKey, revealApiKey] as const;
