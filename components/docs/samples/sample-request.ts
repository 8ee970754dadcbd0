import type { Operation } from '@/components/docs/model/reference';

/** A request for the code samples. */
export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  /** Sent as a bearer token; null: read from HEADWATER_API_KEY; undefined: the endpoint needs no key. */
  readonly key: string | null | undefined;
  readonly idempotencyKey: string;
  /** Request body; undefined: none. */
  readonly body: unknown;
  /** Whether a successful response has a JSON body. */
  readonly hasResponseBody: boolean;
}

/** The parts of an operation that the browser needs to build its request. */
export interface Call extends Pick<
  Operation,
  'id' | 'method' | 'path' | 'title' | 'access' | 'pathParameters' | 'queryParameters'
> {
  /** Example body; null: the operation has no body. */
  readonly bodyExample: string | null;
  readonly takesIdempotencyKey: boolean;
  readonly hasResponseBody: boolean;
}

export const createCall = (operation: Operation): Call => ({
  id: operation.id,
  method: operation.method,
  path: operation.path,
  title: operation.title,
  access: operation.access,
  // Nested fields of a parameter cannot be entered.
  pathParameters: operation.pathParameters.map((pathParameter) => ({ ...pathParameter, fields: [] })),
  queryParameters: operation.queryParameters.map((queryParameter) => ({ ...queryParameter, fields: [] })),
  bodyExample: operation.body && JSON.stringify(operation.body.example, null, 2),
  takesIdempotencyKey: operation.headers.some(({ name }) => name === 'Idempotency-Key'),
  hasResponseBody: operation.response.type !== null,
});

/** Input of the reader for one operation. */
export interface RequestInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly idempotencyKey: string;
  /** Body as JSON text. */
  readonly body: string;
}

export const emptyRequestInput = ({ bodyExample }: Call): RequestInput => ({
  path: {},
  query: {},
  idempotencyKey: '',
  body: bodyExample ?? '',
});

/** Path and query of the request. An empty path parameter has its example value. */
export function requestPath({ path, pathParameters, queryParameters }: Call, values: RequestInput): string {
  const filledPath = pathParameters.reduce((pathSoFar, { name, example }) => {
    const value = values.path[name] ?? '';
    return pathSoFar.replace(`{${name}}`, encodeURIComponent(value === '' ? example || `{${name}}` : value));
  }, path);
  const query = new URLSearchParams(
    queryParameters.flatMap(({ name }) => {
      const value = values.query[name] ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
  return query.size === 0 ? filledPath : `${filledPath}?${query.toString()}`;
}

/** The entered JSON; null if it is not valid. */
export function parseBody(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** The request of the samples. A body that is not valid JSON yet is shown as the example. */
export function createSampleRequest(
  call: Call,
  values: RequestInput,
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
): SampleRequest {
  const { bodyExample, method, access, hasResponseBody } = call;
  return {
    method,
    url: `${baseUrl}${requestPath(call, values)}`,
    key: access === 'key' ? key || null : undefined,
    idempotencyKey: values.idempotencyKey,
    body: bodyExample === null ? undefined : (parseBody(values.body) ?? parseBody(bodyExample))?.value,
    hasResponseBody,
  };
}
