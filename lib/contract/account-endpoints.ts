import { z } from 'zod';
import { defineEndpoint } from './define-endpoint';
import { listQuery } from './list-query';
import { password, timestamp, uuid } from './primitives';

/** Account endpoints for the dashboard. */

const common = { auth: 'session', corsKeyAllowed: false, tag: 'Account' } as const;
/** The password that the account has now: it may be older than today's rules. */
const ownPassword = z.string().max(1000);

export const changePassword = defineEndpoint({
  ...common,
  id: 'changePassword',
  method: 'POST',
  path: '/api/dashboard/account/password',
  summary: 'Change the password',
  description: 'Requires the current password. Ends every browser session, including this one: log in again.',
  body: z.strictObject({ currentPassword: ownPassword, newPassword: password }),
  limit: 'password',
  remembersDevice: true,
  status: 204,
  errors: [],
  example: { body: { currentPassword: 'a long pass phrase', newPassword: 'another long pass phrase' } },
});

export const endSessions = defineEndpoint({
  ...common,
  id: 'endSessions',
  method: 'POST',
  path: '/api/dashboard/account/log-out-everywhere',
  summary: 'Log out everywhere',
  description: 'Ends every browser session of the account, including this one. API keys keep working.',
  status: 204,
  errors: [],
  example: {},
});

export const deleteAccount = defineEndpoint({
  ...common,
  id: 'deleteAccount',
  method: 'POST',
  path: '/api/dashboard/account/delete',
  summary: 'Delete the account',
  description:
    'Requires the account email address and password. Publishers are disconnected; playback, webhooks and API keys stop at once; everything the account owns is deleted within minutes. This cannot be undone.',
  body: z.strictObject({ email: z.string().max(254), password: ownPassword }),
  limit: 'password',
  status: 204,
  errors: [],
  example: { body: { email: 'ada@example.com', password: 'a long pass phrase' } },
});

/** One line of the audit log. */
const auditEntry = z
  .object({
    id: uuid,
    createdAt: timestamp,
    action: z.string().meta({ description: 'Object type and action, for example `stream.created`.' }),
    actor: z.enum(['session', 'key', 'cli', 'system', 'visitor']).meta({
      description:
        'A browser session, an API key, the operator, the service, or a visitor who is not logged in.',
    }),
    keyId: uuid.nullable().meta({ description: 'The API key that was used.' }),
    keyName: z.string().nullable().meta({ description: 'Null if there was no key, or the key was deleted.' }),
    objectId: z.string().nullable(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });

export type AuditLine = z.output<typeof auditEntry>;

export const auditListFields = {
  id: { type: 'uuid' },
  createdAt: { type: 'timestamp' },
  action: { type: 'text' },
} as const;

export const listAuditEntries = defineEndpoint({
  ...common,
  id: 'listAuditEntries',
  method: 'GET',
  path: '/api/dashboard/audit',
  summary: 'Read the audit log',
  description:
    'Every change to the account, with actor and IP address, newest first. Entries are never changed.',
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
        actor: 'key',
        keyId: '5d0f0f0e-8a43-4d6e-9f0b-1c2d3e4f5a6b',
        keyName: 'Website',
        objectId: '9c1d2e3f-8a43-4d6e-9f0b-1c2d3e4f5a6b',
        ip: '203.0.113.7',
        userAgent: 'curl/8.5.0',
      },
    ],
  },
});
