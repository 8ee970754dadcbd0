import { type Field, fieldOf, fieldsOf, typeOf } from './fields';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiResponse } from './open-api';
import { omitUndefined } from '@/lib/core/omit-undefined';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A value of a request that readers can enter. */
export interface Parameter extends Field {
  /** Example value; empty if there is none. */
  readonly example: string;
}

/** The successful response of an operation. */
export interface SuccessResponse {
  readonly status: string;
  /** Type of the body, for readers; null for a response without a body. */
  readonly type: string | null;
  readonly headers: readonly Field[];
  readonly fields: readonly Field[];
  /** Example as JSON; null for a response without a body. */
  readonly example: string | null;
}

export interface Operation {
  readonly kind: 'operation';
  readonly id: string;
  readonly group: string;
  readonly method: Method;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Authentication: none, an API key or a dashboard session, or a dashboard session only. */
  readonly access: 'public' | 'key' | 'session';
  readonly pathParameters: readonly Parameter[];
  readonly queryParameters: readonly Parameter[];
  readonly headers: readonly Parameter[];
  readonly body: { readonly fields: readonly Field[]; readonly example: unknown } | null;
  readonly response: SuccessResponse;
  readonly errors: readonly { readonly status: string; readonly meaning: string }[];
}

/** Event that is sent to webhooks. */
export interface WebhookEvent {
  readonly kind: 'event';
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly Field[];
  readonly example: string;
}

export type Entry = Operation | WebhookEvent;

export interface Reference {
  readonly baseUrl: string;
  readonly entries: readonly Entry[];
}

const eventGroup = 'Webhook events';

/** All data of the docs pages, from the OpenAPI document. Entries are ordered by group. */
export function createReference(document: OpenApiDocument): Reference {
  const operations = Object.entries(document.paths).flatMap(([path, pathItem]) =>
    Object.entries(pathItem).map(([method, operation]) => operationOf(document, path, method, operation)),
  );
  const events = eventsOf(document);
  const groups = [...new Set(operations.map(({ group }) => group))];
  const entries = groups.flatMap((group): Entry[] => [
    ...operations.filter((operation) => operation.group === group),
    ...(group === 'Webhooks' ? events : []),
  ]);
  return { baseUrl: document.servers[0]?.url ?? '', entries };
}

function operationOf(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: OpenApiOperation,
): Operation {
  const parametersIn = (location: OpenApiParameter['in']) =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === location)
      .map((parameter) => parameterOf(document, parameter));
  const jsonContent = operation.requestBody?.content['application/json'];
  const responses = Object.entries(operation.responses);
  return {
    kind: 'operation',
    id: operation.operationId,
    group: operation.tags[0] ?? '',
    method: method.toUpperCase() as Method,
    path,
    title: operation.summary,
    description: operation.description,
    access: accessOf(operation),
    pathParameters: parametersIn('path'),
    queryParameters: parametersIn('query'),
    headers: parametersIn('header'),
    body: jsonContent
      ? {
          fields: fieldsOf(jsonContent.schema, document.components.schemas),
          example: jsonContent.example ?? {},
        }
      : null,
    response: responseOf(document, responses.find(([status]) => status.startsWith('2')) ?? noResponse),
    errors: responses
      .filter(([status]) => !status.startsWith('2'))
      .map(([status, { description }]) => ({ status, meaning: description })),
  };
}

const noResponse = ['200', { description: '' }] as const;

function accessOf({ security = [] }: OpenApiOperation): Operation['access'] {
  if (security.length === 0) return 'public';
  return security.some((scheme) => 'apiKey' in scheme) ? 'key' : 'session';
}

function parameterOf({ components }: OpenApiDocument, parameter: OpenApiParameter): Parameter {
  const { name, schema, required = false } = parameter;
  const example = typeof schema.example === 'string' ? schema.example : '';
  return { ...fieldOf(name, schema, required, components.schemas), example };
}

function responseOf(
  { components: { schemas } }: OpenApiDocument,
  [status, response]: readonly [string, OpenApiResponse],
): SuccessResponse {
  const jsonContent = response.content?.['application/json'];
  const headers = Object.entries(response.headers ?? {}).map(([name, { schema, description }]) =>
    fieldOf(name, { ...schema, ...omitUndefined({ description }) }, false, schemas),
  );
  return {
    status,
    headers,
    type: jsonContent ? typeOf(jsonContent.schema, schemas) : null,
    fields: jsonContent ? fieldsOf(jsonContent.schema, schemas) : [],
    example: jsonContent?.example === undefined ? null : JSON.stringify(jsonContent.example, null, 2),
  };
}

function eventsOf({ webhooks, components: { schemas } }: OpenApiDocument): WebhookEvent[] {
  return Object.entries(webhooks).flatMap(([name, { post }]) => {
    const jsonContent = post?.requestBody?.content['application/json'];
    if (!post || !jsonContent) return [];
    return {
      kind: 'event' as const,
      id: name,
      group: eventGroup,
      title: name,
      description: post.description,
      fields: fieldsOf(jsonContent.schema, schemas),
      example: JSON.stringify(jsonContent.example, null, 2),
    };
  });
}
