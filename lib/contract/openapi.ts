import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { eventNames } from '@/lib/core/webhooks/events';
import { defined } from '@/lib/core/defined';
import type { Endpoint } from './define-endpoint';
import { eventDescriptions } from './webhooks/event-descriptions';
import { sampleEvent } from './webhooks/event-samples';
import { eventSchemas } from './webhooks/event';
import { idempotencyHeaders, keepsAnswers } from './idempotency';
import { errorBody } from './primitives';

/** Default description of each error status. */
export const usualMeanings: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The API key is missing or invalid.',
  402: 'A quota of the team is used up.',
  403: 'The caller is not allowed to do this.',
  404: 'The team has no object with this id.',
  409: 'The state of the object, or the maximum number of objects, does not allow this.',
  412: 'The input of this operation is not ready, or the server is not set up for it.',
  413: 'The body is larger than 100 KB.',
  415: 'The body is not application/json.',
  422: 'A parameter or field is missing, unknown or invalid. The message names it.',
  429: 'Too many requests; see Retry-After.',
  503: 'A part of the service is unavailable; see Retry-After.',
};

const beingAnswered = 'A request with the same `Idempotency-Key` is still being processed.';

/** Every error status of an endpoint, including those of its kind, with its meaning; ascending. */
export function errorsOf(endpoint: Endpoint): readonly (readonly [status: number, meaning: string])[] {
  const meanings = new Map(statusesOfKind(endpoint).map((status) => [status, usualMeanings[status] ?? '']));
  if (keepsAnswers(endpoint)) meanings.set(409, beingAnswered);
  for (const each of endpoint.errors) {
    const [status, meaning] = typeof each === 'number' ? [each, usualMeanings[each] ?? ''] : each;
    const isBoth = status === 409 && keepsAnswers(endpoint);
    meanings.set(status, isBoth ? `${meaning} Or: ${beingAnswered}` : meaning);
  }
  return [...meanings].sort(([a], [b]) => a - b);
}

function statusesOfKind(endpoint: Endpoint): number[] {
  const statuses = new Set([503]);
  if (endpoint.auth !== 'public') for (const status of [401, 403, 429]) statuses.add(status);
  if (endpoint.params) statuses.add(404);
  if (keepsAnswers(endpoint)) for (const status of [400, 409, 422]) statuses.add(status);
  if (endpoint.query) statuses.add(422);
  if (endpoint.body) for (const status of [400, 413, 415, 422]) statuses.add(status);
  return [...statuses];
}

/** The OpenAPI 3.1 document of these endpoints. @param baseUrl address of the service */
export function openApiOf(
  endpoints: readonly Endpoint[],
  baseUrl: string,
): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {});
    path[methodOf(endpoint)] = operationOf(endpoint);
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Headwater',
      version: '1',
      description:
        'Live streams and video assets. Timestamps are Unix milliseconds. Every error response has the body {"errors": [message, …]}; `fields` names the field of each message.',
    },
    servers: [{ url: baseUrl }],
    paths,
    webhooks: webhooksOf(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, created in the dashboard.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'next-auth.session-token',
          description: "The dashboard's browser session. Works only on dashboard pages.",
        },
      },
    },
  });
}

/** The webhook requests: one entry per event. */
function webhooksOf(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    eventNames.map((name) => [
      name,
      {
        post: {
          operationId: name,
          tags: ['Webhooks'],
          summary: name,
          description: `${eventDescriptions[name]} Deliveries are signed. Without a 2xx response, they are retried for about 15 minutes.`,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: eventSchemas[name], example: sampleEvent(name) } },
          },
          responses: { '2XX': { description: 'Accepted.' } },
        },
      },
    ]),
  );
}

function methodOf({ method }: Endpoint) {
  return method.toLowerCase() as Lowercase<Endpoint['method']>;
}

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const path = pathOf(endpoint);
  const { query } = endpoint;
  const header = keepsAnswers(endpoint) ? idempotencyHeaders : null;
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [
      endpoint.description,
      ...(endpoint.corsKeyAllowed ? ['CORS-enabled keys may call this endpoint.'] : []),
      ...(endpoint.operatorOnly ? ['Only for operators (`OPERATOR_EMAILS`); other accounts get 403.'] : []),
    ].join(' '),
    security: securityOf(endpoint),
    ...(path || query || header
      ? {
          requestParams: {
            ...(path ? { path } : {}),
            ...(query ? { query } : {}),
            ...(header ? { header } : {}),
          },
        }
      : {}),
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: endpoint.body, example: endpoint.example.body } },
          },
        }
      : {}),
    responses: responsesOf(endpoint),
  };
}

/** The path parameters with the example of this endpoint: `id` is a stream's id in some paths and a webhook's in others. */
function pathOf({ params, example }: Endpoint): z.ZodObject | undefined {
  if (!params) return undefined;
  const entries = Object.entries(params.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const value = example.params?.[name];
    return [name, value === undefined ? schema : schema.meta({ ...schema.meta(), example: value })];
  });
  return z.object(Object.fromEntries(entries) as Record<string, z.ZodType>);
}

function securityOf({ auth, keyOptional }: Endpoint): Record<string, string[]>[] {
  if (auth === 'public') return [];
  if (auth === 'session') return [{ session: [] }];
  return [{ apiKey: [] }, { session: [] }, ...(keyOptional ? [{}] : [])];
}

function responsesOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = { [endpoint.status]: successOf(endpoint) };
  if (endpoint.upserts) responses['200'] = { ...successOf(endpoint), description: 'The updated object.' };
  for (const [status, description] of errorsOf(endpoint)) {
    responses[`${status}` as `${1 | 2 | 4 | 5}${string}`] = {
      description,
      content: { 'application/json': { schema: errorBody } },
    };
  }
  return responses;
}

function successOf(endpoint: Endpoint) {
  if (!endpoint.response) return { description: 'Done.' };
  const { response: example } = endpoint.example;
  return {
    description: endpoint.summary,
    ...(endpoint.list ? { headers: listHeaders } : {}),
    content: {
      'application/json': { schema: endpoint.response, ...defined({ example }) },
    },
  };
}

const listHeaders = {
  Link: {
    description: 'URL of the next page, `<…>; rel="next"`, if there is one.',
    schema: { type: 'string' },
  },
  'X-Total-Count': {
    description: 'Total number of matching objects, with `count`.',
    schema: { type: 'integer' },
  },
} as const;
