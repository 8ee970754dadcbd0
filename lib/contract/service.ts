import { z } from 'zod';
import { defineEndpoint } from './define-endpoint';

const ingest = z
  .object({
    ingest: z.string().meta({ description: 'RTMP address; the stream key is appended after a slash.' }),
    playback: z.string().meta({ description: 'Base URL of all playback URLs.' }),
    base: z.string().meta({ description: 'URL of the API and the dashboard.' }),
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
  description: 'Base URLs for publishing and playback.',
  response: z.array(ingest),
  status: 200,
  errors: [],
  example: {
    response: [
      {
        ingest: 'rtmp://localhost:1935/live',
        playback: 'http://localhost:8080/hls',
        base: 'http://localhost:3000',
      },
    ],
  },
});

const part = z.enum(['ok', 'elsewhere', 'none']);

/** 200 only when everything on this machine answers; 503 names what does not. */
export const getHealth = defineEndpoint({
  id: 'getHealth',
  method: 'GET',
  path: '/api/healthz',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Service',
  summary: 'Check health',
  description:
    '200 if the database and every role of this machine respond; otherwise 503, naming the parts that do not. A role ' +
    'that this machine does not run is `elsewhere` if a node with it announced itself lately, and `none` otherwise. ' +
    'Background work waits while the queue is `unavailable`.',
  response: z
    .object({
      database: z.literal('ok'),
      queue: z.enum(['ok', 'unavailable']),
      live: part,
      origin: part,
      jobs: part,
    })
    .meta({ id: 'Health' }),
  status: 200,
  errors: [503],
  example: { response: { database: 'ok', queue: 'ok', live: 'ok', origin: 'ok', jobs: 'ok' } },
});

/** This description itself. */
export const getOpenApi = defineEndpoint({
  id: 'getOpenApi',
  method: 'GET',
  path: '/api/openapi.json',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Service',
  summary: 'Retrieve the OpenAPI 3.1 file',
  description: 'Generated from the definitions that validate requests.',
  response: z.record(z.string(), z.unknown()),
  status: 200,
  errors: [],
  example: {},
});
