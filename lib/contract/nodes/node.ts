import { z } from 'zod';
import { nodeRoles, nodeStates } from '@/lib/core/nodes/node-state';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, timestamp, uuid } from '@/lib/contract/primitives';
import { reason } from '@/lib/contract/reason';

const node = z
  .object({
    id: uuid.meta({ description: 'Changes each time the process starts.' }),
    role: z.enum(nodeRoles).meta({
      description:
        '`live` receives streams, `origin` serves viewers and uploads, `jobs` does background work.',
    }),
    slot: z.int().min(1).meta({
      description: 'Number of the process among the processes with this role on its machine, from 1.',
    }),
    state: z.enum(nodeStates).meta({
      description:
        '`draining`: admits no new publishes. `unresponsive`: its heartbeat is overdue; it is listed for a day.',
    }),
    url: z.string().meta({ description: 'URL for other nodes.' }),
    machineId: uuid.nullable().meta({ description: 'Equal for all nodes with the same `DATA_DIR`.' }),
    region: z.string().nullable().meta({ description: '`REGION` of the machine.' }),
    ingestUrl: z.string().nullable().meta({ description: 'URL for encoders, only of a live node.' }),
    version: z.string().nullable(),
    startedAt: timestamp,
    lastSeen: timestamp.meta({ description: 'Last heartbeat.' }),
    drainingSince: timestamp.nullable(),
    streamCount: z.int().min(0).nullable().meta({ description: 'Number of streams on a live node.' }),
    cpuHeadroomRatio: z.number().min(0).max(1).nullable().meta({
      description: "Share of the machine's CPU time that was idle between the last two heartbeats, 0 to 1.",
    }),
    roomStreams: z.int().min(0).nullable().meta({
      description: 'How many more streams like its current ones a live node can take; null while unknown.',
    }),
    fullReason: z.string().nullable().meta({
      description: 'Why a live node rejects new streams; null while it accepts them.',
    }),
    fullCause: reason.exactOptional(),
    diskFreeBytes: z.int().min(0).nullable().meta({ description: 'Free bytes on the disk of `DATA_DIR`.' }),
  })
  .meta({ id: 'Node' });

export type Node = z.output<typeof node>;

export const updateNode = defineEndpoint({
  id: 'updateNode',
  method: 'PATCH',
  path: '/api/admin/nodes/{id}',
  auth: 'key-or-session',
  operatorOnly: true,
  corsKeyAllowed: false,
  tag: 'Service',
  summary: 'Drain a node',
  description:
    'Starts or ends a drain of all live nodes on the machine of this node, with the next heartbeat, within two seconds. During a drain, the nodes reject new publishes, give their streams `DRAIN_SECONDS` to end or to move to another node, and then disconnect the rest.',
  params: idParams,
  body: z.strictObject({ draining: z.boolean() }),
  status: 204,
  errors: [],
  example: { params: { id: '6e0a4c1e-8a43-4d6e-9f0b-1c2d3e4f5a6b' }, body: { draining: true } },
});

export const listNodes = defineEndpoint({
  id: 'listNodes',
  method: 'GET',
  path: '/api/admin/nodes',
  auth: 'key-or-session',
  operatorOnly: true,
  corsKeyAllowed: false,
  tag: 'Service',
  summary: 'List nodes',
  description: 'The processes that serve streams, viewers and background work, on all machines.',
  response: z.array(node),
  status: 200,
  errors: [],
  example: {
    response: [
      {
        id: '6e0a4c1e-8a43-4d6e-9f0b-1c2d3e4f5a6b',
        role: 'live',
        slot: 1,
        state: 'online',
        url: 'http://10.0.0.2:4000',
        machineId: '2b7c4c1e-8a43-4d6e-9f0b-1c2d3e4f5a6b',
        region: 'eu-west',
        ingestUrl: 'rtmp://eu-west.example.com:1935/live',
        version: '0.1.0',
        startedAt: 1_767_225_600_000,
        lastSeen: 1_767_229_200_000,
        drainingSince: null,
        streamCount: 12,
        cpuHeadroomRatio: 0.64,
        roomStreams: 30,
        fullReason: null,
        diskFreeBytes: 214_748_364_800,
      },
    ],
  },
});

export const nodeEndpoints = [listNodes, updateNode] as const;
