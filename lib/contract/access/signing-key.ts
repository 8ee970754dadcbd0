import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, timestamp, uuid, nameText } from '@/lib/contract/primitives';

const signingKey = z
  .object({
    id: uuid,
    name: z.string(),
    userId: uuid,
    createdAt: timestamp,
    publicKey: z.string().meta({ description: 'PEM (SPKI, P-256), as base64.' }),
    disabled: z.boolean().meta({ description: 'Tokens of this key are rejected while true.' }),
  })
  .meta({ id: 'SigningKey' });

export type SigningKey = z.output<typeof signingKey>;

const createdSigningKey = signingKey
  .extend({
    privateKey: z
      .string()
      .meta({ description: 'PEM (PKCS #8), as base64. Shown once and not stored: keep it on your server.' }),
  })
  .meta({ id: 'CreatedSigningKey' });

export type CreatedSigningKey = z.output<typeof createdSigningKey>;

const name = nameText(100).meta({ description: 'Shown in the dashboard.' });

const id = '5d0f0f0e-8a43-4d6e-9f0b-1c2d3e4f5a6b';
const exampleKey = {
  id,
  name: 'Website',
  userId: '0c6e2f3a-5b1d-4c7e-8f9a-1b2c3d4e5f60',
  createdAt: 1_767_225_600_000,
  publicKey: 'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0K…',
  disabled: false,
} as const;

const commonFields = { auth: 'key-or-session', corsKeyAllowed: false, tag: 'Playback', errors: [] } as const;

export const createSigningKey = defineEndpoint({
  ...commonFields,
  id: 'createSigningKey',
  method: 'POST',
  path: '/api/access-control/signing-key',
  summary: 'Create a signing key',
  description:
    'An ES256 key pair. Your server signs playback tokens with the private key, which is in this response only. At most 10 per team.',
  body: z.strictObject({ name: name.exactOptional() }),
  response: createdSigningKey,
  status: 201,
  studio: { status: 200 },
  errors: [[403, 'The team has the maximum number of signing keys, or the role is too low.']],
  example: {
    body: { name: 'Website' },
    response: { ...exampleKey, privateKey: 'LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1…' },
  },
});

export const listSigningKeys = defineEndpoint({
  ...commonFields,
  id: 'listSigningKeys',
  method: 'GET',
  path: '/api/access-control/signing-key',
  summary: 'List signing keys',
  description: 'All signing keys of the team, newest first.',
  response: z.array(signingKey),
  status: 200,
  example: { response: [exampleKey] },
});

export const getSigningKey = defineEndpoint({
  ...commonFields,
  id: 'getSigningKey',
  method: 'GET',
  path: '/api/access-control/signing-key/{id}',
  summary: 'Retrieve a signing key',
  description: 'One signing key of the team.',
  params: idParams,
  response: signingKey,
  status: 200,
  example: { params: { id }, response: exampleKey },
});

export const updateSigningKey = defineEndpoint({
  ...commonFields,
  id: 'updateSigningKey',
  method: 'PATCH',
  path: '/api/access-control/signing-key/{id}',
  summary: 'Rename, disable or enable a signing key',
  description: 'Viewers with tokens of a disabled key are disconnected within seconds.',
  params: idParams,
  body: z.strictObject({ name: name.exactOptional(), disabled: z.boolean().exactOptional() }),
  readOnlyFields: ['id', 'userId', 'createdAt', 'publicKey'],
  status: 204,
  example: { params: { id }, body: { disabled: true } },
});

export const deleteSigningKey = defineEndpoint({
  ...commonFields,
  id: 'deleteSigningKey',
  method: 'DELETE',
  path: '/api/access-control/signing-key/{id}',
  summary: 'Delete a signing key',
  description: 'Viewers with tokens of this key are disconnected within seconds.',
  params: idParams,
  status: 204,
  example: { params: { id } },
});

export const signingKeyEndpoints = [
  createSigningKey,
  listSigningKeys,
  getSigningKey,
  updateSigningKey,
  deleteSigningKey,
] as const;
