import type { z } from 'zod';
import type { EndpointAccess } from '@/lib/core/access/key-policy';
import type { RoleAccess } from '@/lib/core/access/team-roles';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The definition of one endpoint. Validation, the types of its handler, the typed client, OpenAPI and the list of
 * permissions are derived from it.
 */
export interface Endpoint extends EndpointAccess, RoleAccess {
  /** Unique id, which is the `operationId` in OpenAPI. */
  readonly id: string;
  readonly method: Method;
  /** Path with parameters in braces, as in OpenAPI: `/api/stream/{id}`. */
  readonly path: `/api/${string}`;
  readonly tag:
    | 'Streams'
    | 'Sessions'
    | 'Multistream'
    | 'Assets'
    | 'Tasks'
    | 'Webhooks'
    | 'Playback'
    | 'Account'
    | 'API keys'
    | 'Teams'
    | 'Service';
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Maximum body size in bytes; 100 KB by default. */
  readonly maxBodyBytes?: number;
  /** Schema of the response; absent if a successful response has no body (204). */
  readonly response?: z.ZodType;
  readonly status: 200 | 201 | 204;
  /**
   * Error statuses in addition to those that follow from the other fields (`impliedStatusesOf` in openapi.ts), each with its
   * meaning for this endpoint. A status without a meaning has its default meaning.
   */
  readonly errors: readonly (number | readonly [status: number, meaning: string])[];
  /** Whether the endpoint creates an object (201) or updates an existing one (200). The handler returns an `Upserted`. */
  readonly upserts?: true;
  /**
   * Whether the response is one page of a list with the headers `Link` and `X-Total-Count`. The handler returns
   * a `Page`.
   */
  readonly list?: true;
  /** Whether the response, an array of flat objects, is also available as CSV (`Accept: text/csv` or `format=csv`). */
  readonly csv?: true;
  /**
   * Read-only fields that the body may have. They are ignored, so that clients can change an object they got and send it
   * back.
   */
  readonly readOnlyFields?: readonly string[];
  /** Error code for a body that violates the schema: the response is 400 instead of 422. */
  readonly invalidBody?: 'bad_request';
  /** Whether only accounts in `OPERATOR_EMAILS` may call the endpoint. */
  readonly operatorOnly?: true;
  /** Whether a public endpoint serves pages of this service only: requests from pages of other origins are rejected. */
  readonly ownOriginOnly?: true;
  /** Name of a rate limit in addition to that of the whole API (lib/http/limits/enforce-limits.ts). */
  readonly rateLimit?:
    | 'sign-up'
    | 'link'
    | 'reset-request'
    | 'reveal'
    | 'resend'
    | 'password'
    | 'playback-password'
    | 'viewer-clip'
    | 'playback-report'
    | 'public-totals'
    | 'target-test';
  /**
   * Present if the endpoint sets a new password, and makes the browser a known device of the account. `caller`: the person
   * confirmed the old password. `link`: the person opened a link in a mail, so the number of failed sign-ins is reset, and
   * the result of the handler has `userId` and `email`.
   */
  readonly remembersDevice?: 'caller' | 'link';
  /**
   * Whether a sign-in session may call the endpoint before it has set up the two-step login that REQUIRE_SECOND_FACTOR
   * requires.
   */
  readonly beforeSecondFactor?: true;
  /**
   * How the endpoint differs below `/api/studio`, the paths for clients of the Studio API (docs/walks.md): false if it does
   * not exist there, otherwise the successful response that these clients expect.
   */
  readonly studio?: false | { readonly status: 200; readonly response?: z.ZodType };
  /** Whether the endpoint ends all sign-in sessions of the account except that of the caller, which gets a new cookie. */
  readonly keepsSession?: true;
  readonly example: {
    readonly params?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly response?: unknown;
  };
}

/** Returns an endpoint with its literal types, from which the types of its handler and of client calls are derived. */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}

type Output<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;
type Input<S> = S extends z.ZodType ? z.input<S> : Record<string, never>;
type Part<E, K extends string> = E extends Readonly<Record<K, infer S>> ? S : undefined;

/** Path parameters, query and body as the handler gets them, after validation. */
export type ParamsOf<E> = Output<Part<E, 'params'>>;
export type QueryOf<E> = Output<Part<E, 'query'>>;
export type BodyOf<E> = Output<Part<E, 'body'>>;

/** Path parameters, query and body as the caller sends them. */
export type ParamsInput<E> = Input<Part<E, 'params'>>;
export type QueryInput<E> = Input<Part<E, 'query'>>;
export type BodyInput<E> = Input<Part<E, 'body'>>;

/** Response as the caller gets it; undefined for 204. */
export type ResponseOf<E> = Part<E, 'response'> extends z.ZodType ? z.output<Part<E, 'response'>> : undefined;

/** One page of a list, as a handler returns it. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; null on the last page. */
  readonly nextCursor: string | null;
  /** Number of matching rows; null if the query has no `count`. */
  readonly total: number | null;
}

/** The result of an upsert. */
export interface Upserted<T> {
  readonly isCreated: boolean;
  readonly object: T;
}

/** The value that the handler returns. */
export type HandlerResultOf<E> = E extends { readonly list: true }
  ? Page<ResponseOf<E> extends readonly (infer T)[] ? T : never>
  : E extends { readonly upserts: true }
    ? Upserted<ResponseOf<E>>
    : Part<E, 'response'> extends z.ZodType
      ? ResponseOf<E>
      : E extends { readonly studio: { readonly response: infer S extends z.ZodType } }
        ? z.output<S>
        : // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a 204 handler may return nothing
          void;
