import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { queueNames } from '@/lib/contract/jobs';
import { teamRoles } from '@/lib/core/access/team-roles';
import { idParams, listQuery, timestamp, uuid } from '@/lib/contract/primitives';
import { usage } from './usage';

/**
 * Fields of the endpoints of operators for the whole service. They need a sign-in session, so that a leaked API key can't
 * delete accounts.
 */
const commonFields = { auth: 'session', operatorOnly: true, corsKeyAllowed: false, tag: 'Service' } as const;
const count = z.int().min(0);

/** An account as operators see it. */
const managedAccount = z
  .object({
    id: uuid,
    email: z.string(),
    createdAt: timestamp,
    lastSeen: timestamp.nullable().meta({ description: 'Last login; null: never.' }),
    suspended: z.boolean(),
    operator: z.boolean().meta({ description: 'Whether `OPERATOR_EMAILS` contains the address.' }),
    streamCount: count.meta({ description: 'Number of streams in all teams that the account owns.' }),
    storedBytes: count.meta({ description: 'Bytes stored by all teams that the account owns.' }),
    teams: z
      .array(
        z.object({
          id: uuid,
          name: z.string(),
          role: z.enum(teamRoles),
          streamCount: count,
          storedBytes: count,
        }),
      )
      .meta({ description: 'Teams of the account, in the order it joined.' }),
  })
  .meta({ id: 'ManagedAccount' });

export type ManagedAccount = z.output<typeof managedAccount>;

const exampleAccount: ManagedAccount = {
  id: '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52',
  email: 'ada@example.com',
  createdAt: 1_767_225_600_000,
  lastSeen: 1_767_229_200_000,
  suspended: false,
  operator: false,
  streamCount: 3,
  storedBytes: 734_003_200,
  teams: [
    {
      id: '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52',
      name: 'Lake TV',
      role: 'owner',
      streamCount: 3,
      storedBytes: 734_003_200,
    },
  ],
};

/** Fields of accounts for `filters` and `order`. */
export const managedAccountFields = {
  id: { type: 'uuid' },
  email: { type: 'text' },
  createdAt: { type: 'timestamp' },
  lastSeen: { type: 'timestamp', nullable: true },
  suspended: { type: 'boolean' },
} as const;

export const listAccounts = defineEndpoint({
  ...commonFields,
  id: 'listAccounts',
  method: 'GET',
  path: '/api/admin/accounts',
  summary: 'List accounts',
  description: 'All accounts of the service, newest first.',
  query: listQuery,
  response: z.array(managedAccount),
  list: true,
  status: 200,
  errors: [400],
  example: { response: [exampleAccount] },
});

export const updateAccount = defineEndpoint({
  ...commonFields,
  id: 'updateAccount',
  method: 'PATCH',
  path: '/api/admin/accounts/{id}',
  summary: 'Suspend or unsuspend an account',
  description:
    'Suspending logs the account out, disconnects its publishers, and stops playback, API keys, webhooks and new tasks. Nothing is deleted; unsuspending restores everything except sign-in sessions. Accounts of operators cannot be suspended.',
  params: idParams,
  body: z.strictObject({ suspended: z.boolean() }),
  response: managedAccount,
  status: 200,
  errors: [[409, 'The account is your own, or that of an operator.']],
  example: {
    params: { id: exampleAccount.id },
    body: { suspended: true },
    response: { ...exampleAccount, suspended: true },
  },
});

export const removeAccount = defineEndpoint({
  ...commonFields,
  id: 'removeAccount',
  method: 'DELETE',
  path: '/api/admin/accounts/{id}',
  summary: 'Delete an account',
  description:
    'Everything the account owns stops immediately and is deleted within minutes. This cannot be undone. Accounts of operators cannot be deleted here.',
  params: idParams,
  status: 204,
  errors: [[409, 'The account is your own, or that of an operator.']],
  example: { params: { id: exampleAccount.id } },
});

const queue = z
  .object({
    name: z.enum(queueNames),
    waiting: count,
    active: count,
    delayed: count.meta({ description: 'Jobs that are not due yet.' }),
    failed: count,
    completed: count.meta({ description: 'Jobs that completed in the last hour.' }),
    oldestMs: z
      .number()
      .min(0)
      .meta({ description: 'Age of the oldest job that could run now; 0 without one.' }),
  })
  .meta({ id: 'Queue' });

export type Queue = z.output<typeof queue>;

export const listQueues = defineEndpoint({
  ...commonFields,
  id: 'listQueues',
  method: 'GET',
  path: '/api/admin/queues',
  summary: 'List queues',
  description: 'Number of jobs in each queue.',
  response: z.array(queue),
  status: 200,
  errors: [],
  example: {
    response: [
      { name: 'tasks', waiting: 2, active: 1, delayed: 0, failed: 0, completed: 48, oldestMs: 1_200 },
    ],
  },
});

const storage = usage.shape.storage
  .extend({
    databaseBytes: count,
    bucket: z
      .string()
      .nullable()
      .meta({ description: '`S3_BUCKET`; null: files are stored on the local disk.' }),
    disks: z
      .array(
        z.object({
          machineId: uuid.nullable(),
          region: z.string().nullable(),
          freeBytes: count.meta({ description: 'Free bytes on the disk of `DATA_DIR`.' }),
          lastSeen: timestamp,
        }),
      )
      .meta({ description: 'One entry per machine.' }),
  })
  .meta({ id: 'ServiceStorage', description: 'Bytes stored now by all accounts.' });

export type ServiceStorage = z.output<typeof storage>;

export const getServiceStorage = defineEndpoint({
  ...commonFields,
  id: 'getServiceStorage',
  method: 'GET',
  path: '/api/admin/storage',
  summary: 'Retrieve stored bytes',
  description: 'Stored bytes of all accounts by kind, and the free space of each machine.',
  response: storage,
  status: 200,
  errors: [],
  example: {
    response: {
      bytes: 838_860_800,
      assets: 734_003_200,
      recordings: 104_857_600,
      dvr: 0,
      deleted: 0,
      databaseBytes: 41_943_040,
      bucket: null,
      disks: [
        {
          machineId: '2b7c4c1e-8a43-4d6e-9f0b-1c2d3e4f5a6b',
          region: 'eu-west',
          freeBytes: 214_748_364_800,
          lastSeen: 1_767_229_200_000,
        },
      ],
    },
  },
});

const setting = z
  .object({
    name: z.string(),
    value: z.string().nullable().meta({ description: 'Null: not set. Secrets are masked.' }),
    secret: z.boolean().meta({ description: 'Whether the value is masked, in part or as a whole.' }),
    isDefault: z.boolean(),
  })
  .meta({ id: 'Setting' });

export type Setting = z.output<typeof setting>;

export const listSettings = defineEndpoint({
  ...commonFields,
  id: 'listSettings',
  method: 'GET',
  path: '/api/admin/settings',
  summary: 'List settings',
  description: 'The settings of the machine that responds, by name. Settings are environment variables.',
  response: z.array(setting),
  status: 200,
  errors: [],
  example: {
    response: [
      { name: 'APP_SECRET', value: '••••••', secret: true, isDefault: false },
      { name: 'SIGN_UP', value: 'invite', secret: false, isDefault: false },
    ],
  },
});

export const adminEndpoints = [
  listAccounts,
  updateAccount,
  removeAccount,
  listQueues,
  getServiceStorage,
  listSettings,
] as const;
