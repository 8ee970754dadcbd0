import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { eventNames } from '@/lib/core/webhooks/events';
import { omitUndefined } from '@/lib/core/omit-undefined';
import type { Endpoint } from './define-endpoint';
import { eventDescriptions } from './webhooks/event-descriptions';
import { createSampleEvent } from './webhooks/event-samples';
import { eventSchemas } from './webhooks/event';
import { idempotencyHeaders, acceptsIdempotencyKeys } from './idempotency';
import { errorBody } from './primitives';

/** Default meaning of each error status, for endpoints that declare none of their own. */
export const defaultMeanings: Readonly<Record<number, string>> = {
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

const keyInUseMeaning = 'A request with the same `Idempotency-Key` is still being processed.';

/**
 * All error statuses of an endpoint with their meanings, in ascending order: those it declares, and those that follow from
 * its authentication, parameters and body.
 */
export function errorStatusesOf(endpoint: Endpoint): readonly (readonly [status: number, meaning: string])[] {
  const meanings = new Map(
    impliedStatusesOf(endpoint).map((status) => [status, defaultMeanings[status] ?? '']),
  );
  if (acceptsIdempotencyKeys(endpoint)) meanings.set(409, keyInUseMeaning);
  for (const error of endpoint.errors) {
    const [status, meaning] = typeof error === 'number' ? [error, defaultMeanings[error] ?? ''] : error;
    const hasBothMeanings = status === 409 && acceptsIdempotencyKeys(endpoint);
    meanings.set(status, hasBothMeanings ? `${meaning} Or: ${keyInUseMeaning}` : meaning);
  }
  return [...meanings].sort(([a], [b]) => a - b);
}

/** Error statuses that an endpoint can return because of its authentication, parameters and body. */
function impliedStatusesOf(endpoint: Endpoint): number[] {
  const statuses = new Set([503]);
  if (endpoint.auth !== 'public') for (const status of [401, 403, 429]) statuses.add(status);
  if (endpoint.params) statuses.add(404);
  if (acceptsIdempotencyKeys(endpoint)) for (const status of [400, 409, 422]) statuses.add(status);
  if (endpoint.query) statuses.add(422);
  if (endpoint.body) for (const status of [400, 413, 415, 422]) statuses.add(status);
  return [...statuses];
}

/**
 * Creates the OpenAPI 3.1 document of endpoints.
 * @param baseUrl URL of the service
 */
export function createOpenApi(
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
    webhooks: createWebhookPaths(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, created in the dashboard.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'next-auth.session-token',
          description: "The dashboard's sign-in session. Works only on dashboard pages.",
        },
      },
    },
  });
}

/** Creates the descriptions of the requests to webhooks, with one entry for each event. */
function createWebhookPaths(): ZodOpenApiPathsObject {
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
            content: { 'application/json': { schema: eventSchemas[name], example: createSampleEvent(name) } },
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
  const pathParameters = pathParametersOf(endpoint);
  const { query } = endpoint;
  const headers = acceptsIdempotencyKeys(endpoint) ? idempotencyHeaders : null;
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
    ...(pathParameters || query || headers
      ? {
          requestParams: {
            ...(pathParameters ? { path: pathParameters } : {}),
            ...(query ? { query } : {}),
            ...(headers ? { header: headers } : {}),
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

/**
 * The path parameters, each with its value in the example of the endpoint. The schema of `id` has no example, because `id`
 * identifies a stream in some paths, and a webhook in others.
 */
function pathParametersOf({ params, example }: Endpoint): z.ZodObject | undefined {
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
  const responses: ZodOpenApiResponsesObject = { [endpoint.status]: successResponseOf(endpoint) };
  if (endpoint.upserts)
    responses['200'] = { ...successResponseOf(endpoint), description: 'The updated object.' };
  for (const [status, description] of errorStatusesOf(endpoint)) {
    // The type of the keys in zod-openapi: the first digit of a status, then any text.
    responses[`${status}` as `${1 | 2 | 4 | 5}${string}`] = {
      description,
      content: { 'application/json': { schema: errorBody } },
    };
  }
  return responses;
}

function successResponseOf(endpoint: Endpoint) {
  if (!endpoint.response) return { description: 'Done.' };
  const { response: example } = endpoint.example;
  return {
    description: endpoint.summary,
    ...(endpoint.list ? { headers: listHeaders } : {}),
    content: {
      'application/json': { schema: endpoint.response, ...omitUndefined({ example }) },
    },
  };
}

/** Response headers of lists. */
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
