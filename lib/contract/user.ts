import { z } from 'zod';
import { defineEndpoint } from './define-endpoint';
import { timestamp, uuid } from './primitives';

/** The account that owns a key. */
export const user = z
  .object({
    id: uuid,
    kind: z.literal('user'),
    email: z.string(),
    emailValid: z.boolean(),
    createdAt: timestamp,
    lastSeen: timestamp.meta({ description: '0 = never.' }),
    suspended: z.boolean(),
  })
  .meta({ id: 'User' });

export type User = z.output<typeof user>;

/** Clients call this to check a key. */
export const getMe = defineEndpoint({
  id: 'getMe',
  method: 'GET',
  path: '/api/user/me',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Account',
  summary: 'Retrieve the current user',
  description: 'Returns the account that owns the key. Use it to check a key.',
  response: user,
  status: 200,
  errors: [],
  example: {
    response: {
      id: '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52',
      kind: 'user',
      email: 'ada@example.com',
      emailValid: true,
      createdAt: 1_767_225_600_000,
      lastSeen: 1_767_229_200_000,
      suspended: false,
    },
  },
});
