import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { email, listQuery, password, text, timestamp, uuid } from '@/lib/contract/primitives';

/** Email address and password of a new account. */
export const credentials = z.strictObject({ email, password });

/** Creates an account. The response does not reveal whether the email address is registered. */
export const signUp = defineEndpoint({
  id: 'signUp',
  method: 'POST',
  path: '/api/dashboard/accounts',
  auth: 'public',
  corsKeyAllowed: false,
  ownOriginOnly: true,
  rateLimit: 'sign-up',
  tag: 'Account',
  summary: 'Sign up',
  description:
    'Creates an account. The response is the same if the email address is already registered; that account keeps its password. 403 if sign-up is closed (SIGN_UP), or if it requires an invitation and the link is invalid.',
  body: credentials.extend({
    invitation: text(200).exactOptional().meta({ description: 'The token in an invitation link.' }),
  }),
  response: z.object({ email: z.string() }),
  status: 201,
  errors: [
    [403, 'Sign-up is closed, or the invitation is invalid.'],
    [429, 'Too many accounts were created from this address; see Retry-After.'],
  ],
  example: {
    body: { email: 'ada@example.com', password: 'a long pass phrase' },
    response: { email: 'ada@example.com' },
  },
});

/** Fields of all account endpoints of the dashboard. */
const commonFields = { auth: 'session', corsKeyAllowed: false, tag: 'Account', role: 'person' } as const;
/** Schema of the current password, which may be older than the rules for new passwords. */
const currentPassword = z.string().max(1000);

export const changePassword = defineEndpoint({
  ...commonFields,
  id: 'changePassword',
  method: 'POST',
  path: '/api/dashboard/account/password',
  summary: 'Change the password',
  description: 'Requires the current password. Ends every sign-in session, including this one: log in again.',
  body: z.strictObject({ currentPassword, newPassword: password }),
  rateLimit: 'password',
  remembersDevice: 'caller',
  beforeSecondFactor: true,
  status: 204,
  errors: [],
  example: { body: { currentPassword: 'a long pass phrase', newPassword: 'another long pass phrase' } },
});

export const endSignInSessions = defineEndpoint({
  ...commonFields,
  id: 'endSessions',
  method: 'POST',
  path: '/api/dashboard/account/log-out-everywhere',
  beforeSecondFactor: true,
  summary: 'Log out everywhere',
  description: 'Ends every sign-in session of the account, including this one. API keys keep working.',
  status: 204,
  errors: [],
  example: {},
});

export const deleteAccount = defineEndpoint({
  ...commonFields,
  id: 'deleteAccount',
  method: 'POST',
  path: '/api/dashboard/account/delete',
  summary: 'Delete the account',
  description:
    'Requires the account email address and password. Publishers are disconnected; playback, webhooks and API keys stop immediately; everything the account owns is deleted within minutes. This cannot be undone.',
  body: z.strictObject({ email: z.string().max(254), password: currentPassword }),
  rateLimit: 'password',
  status: 204,
  errors: [],
  example: { body: { email: 'ada@example.com', password: 'a long pass phrase' } },
});

/** One entry of the audit log. */
const auditEntry = z
  .object({
    id: uuid,
    createdAt: timestamp,
    action: z.string().meta({ description: 'Object type and action, for example `stream.created`.' }),
    email: z
      .string()
      .nullable()
      .meta({ description: 'The person who acted; null for keys, the operator and the service.' }),
    actor: z.enum(['session', 'key', 'cli', 'system', 'visitor']).meta({
      description:
        'A sign-in session, an API key, the operator, the service, or a visitor who is not logged in.',
    }),
    keyId: uuid.nullable().meta({ description: 'The API key that was used.' }),
    keyName: z.string().nullable().meta({ description: 'Null if there was no key, or the key was deleted.' }),
    objectId: z.string().nullable(),
    objectName: z.string().nullable().meta({
      description: 'Current name of the object. Null for objects without a name, and for deleted objects.',
    }),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });

export type AuditEntry = z.output<typeof auditEntry>;

/** Fields of audit entries for `filters` and `order`. */
export const auditListFields = {
  id: { type: 'uuid' },
  createdAt: { type: 'timestamp' },
  action: { type: 'text' },
} as const;

export const listAuditEntries = defineEndpoint({
  ...commonFields,
  role: 'admin',
  id: 'listAuditEntries',
  method: 'GET',
  path: '/api/dashboard/audit',
  summary: 'Read the audit log',
  description:
    "Every change to the team, with actor and IP address, newest first; in the team that was created with your account also the changes to your account. Requires the role admin. Entries can't be edited or deleted.",
  query: listQuery,
  response: z.array(auditEntry),
  list: true,
  status: 200,
  errors: [400],
  example: {
    response: [
      {
        id: '0b7c4c1e-8a43-4d6e-9f0b-1c2d3e4f5a6b',
        createdAt: 1_767_225_600_000,
        action: 'stream.created',
        email: null,
        actor: 'key',
        keyId: '5d0f0f0e-8a43-4d6e-9f0b-1c2d3e4f5a6b',
        keyName: 'Website',
        objectId: '9c1d2e3f-8a43-4d6e-9f0b-1c2d3e4f5a6b',
        objectName: 'Town hall',
        ip: '203.0.113.7',
        userAgent: 'curl/8.5.0',
      },
    ],
  },
});

/** The account of the person who is signed in or, with an API key, the account that owns it. */
const user = z
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

export const accountEndpoints = [
  getMe,
  signUp,
  changePassword,
  endSignInSessions,
  deleteAccount,
  listAuditEntries,
] as const;
