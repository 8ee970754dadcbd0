import { z } from 'zod';
import { defineEndpoint } from './define-endpoint';

const ingest = z
  .object({
    ingest: z.string().meta({ description: 'RTMP address; the stream key is appended after a slash.' }),
    ingestTls: z.string().nullable().meta({
      description: 'RTMPS address (RTMP over TLS); null without TLS.',
    }),
    ingestSrt: z.string().nullable().meta({
      description:
        'SRT address; the stream key is appended as `?streamid=`, the passphrase of a stream that has one as `&passphrase=`. Null if SRT is off.',
    }),
    ingestWhip: z.string().nullable().meta({
      description: 'WebRTC address (WHIP); the stream key is appended after a slash. Null if WebRTC is off.',
    }),
    playback: z.string().meta({ description: 'Base URL of all playback URLs.' }),
    base: z.string().meta({ description: 'URL of the API and the dashboard.' }),
    region: z.string().nullable().meta({ description: '`REGION` of the nodes at this address.' }),
    headroom: z.number().min(0).max(1).nullable().meta({
      description: 'Share of idle CPU time of the nodes, 0 to 1; null while unknown.',
    }),
  })
  .meta({ id: 'Ingest' });

export type Ingest = z.output<typeof ingest>;

export const listIngests = defineEndpoint({
  id: 'listIngests',
  method: 'GET',
  path: '/api/ingest',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Service',
  summary: 'Retrieve ingest URLs',
  description:
    'Addresses that accept publishes now. Nodes that are draining, full or unresponsive are left out, so the list can be empty. ' +
    'Addresses in the region of the node that responds come first; within a region, those with the most headroom.',
  response: z.array(ingest),
  status: 200,
  errors: [],
  example: {
    response: [
      {
        ingest: 'rtmp://localhost:1935/live',
        ingestTls: null,
        ingestSrt: null,
        ingestWhip: null,
        playback: 'http://localhost:8080/hls',
        base: 'http://localhost:3000',
        region: null,
        headroom: 0.64,
      },
    ],
  },
});

/** Health of one role of a machine: live, origin or jobs. */
const roleHealth = z.enum(['ok', 'degraded', 'elsewhere', 'none']);

/** Health of this machine: 200 if everything on it responds, otherwise 503 with the failures. */
export const getHealth = defineEndpoint({
  id: 'getHealth',
  method: 'GET',
  path: '/api/healthz',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Service',
  studio: false,
  summary: 'Check health',
  description:
    '200 if the database and every role of this machine respond; otherwise 503, naming the parts that do not. A role ' +
    'is `degraded` if only some of its processes respond. A role that this machine does not run is `elsewhere` if ' +
    'another machine has recently reported that it runs it, and `none` otherwise. Background work waits while the queue ' +
    'is `unavailable`.',
  response: z
    .object({
      version: z.string().meta({ description: 'Version of the software on this machine.' }),
      database: z.literal('ok'),
      queue: z.enum(['ok', 'unavailable']),
      live: roleHealth,
      origin: roleHealth,
      jobs: roleHealth,
      certificate: z.enum(['ok', 'pending', 'failing']).optional().meta({
        description:
          'Only with `ACME_EMAIL`: `pending` until the first certificate is issued, `failing` if the last order failed.',
      }),
    })
    .meta({ id: 'Health' }),
  status: 200,
  errors: [[503, 'A part of the service does not respond; the body names it.']],
  example: {
    response: { version: '0.1.0', database: 'ok', queue: 'ok', live: 'ok', origin: 'ok', jobs: 'ok' },
  },
});

/** Liveness for orchestrators, which restart a process that does not respond. */
export const getLiveness = defineEndpoint({
  id: 'getLiveness',
  method: 'GET',
  path: '/api/livez',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Service',
  studio: false,
  summary: 'Check liveness',
  description:
    '200 while this web process responds. It checks nothing else, so it returns 200 even without a database.',
  response: z.object({ ok: z.literal(true) }).meta({ id: 'Liveness' }),
  status: 200,
  errors: [],
  example: { response: { ok: true } },
});

/** Readiness for load balancers. */
export const getReadiness = defineEndpoint({
  id: 'getReadiness',
  method: 'GET',
  path: '/api/readyz',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Service',
  studio: false,
  summary: 'Check readiness',
  description:
    '200 if this web process can answer requests of the API: the database responds and has the tables of this version. ' +
    'Other processes of the machine and the queue are not checked; see `/api/healthz` for those.',
  response: z.object({ database: z.literal('ok') }).meta({ id: 'Readiness' }),
  status: 200,
  errors: [[503, 'The database does not respond, or its tables are of another version.']],
  example: { response: { database: 'ok' } },
});

export const getOpenApi = defineEndpoint({
  id: 'getOpenApi',
  method: 'GET',
  path: '/api/openapi.json',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Service',
  studio: false,
  summary: 'Retrieve the OpenAPI 3.1 file',
  description: 'Generated from the definitions that validate requests.',
  response: z.record(z.string(), z.unknown()),
  status: 200,
  errors: [],
  example: {},
});

export const serviceEndpoints = [listIngests, getHealth, getLiveness, getReadiness, getOpenApi] as const;
