import type { z } from 'zod';
import type { EndpointAccess } from '@/lib/core/access/key-policy';
import type { RoleAccess } from '@/lib/core/access/team-roles';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One endpoint, as data. Validation, handler types, the typed client, OpenAPI and the permission list all derive from it. */
export interface Endpoint extends EndpointAccess, RoleAccess {
  /** `operationId` of OpenAPI; unique. */
  readonly id: string;
  readonly method: Method;
  /** Placeholders in braces, as in OpenAPI: `/api/stream/{id}`. */
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
  /** Absent if a success has no body (204). */
  readonly response?: z.ZodType;
  readonly status: 200 | 201 | 204;
  /**
   * Error statuses beyond those of every endpoint of its kind (added by openapi.ts), each with its meaning here. A plain
   * number has the usual meaning.
   */
  readonly errors: readonly (number | readonly [status: number, meaning: string])[];
  /** Whether the endpoint creates the object (201) or updates the existing one (200); the handler returns an Upserted. */
  readonly upserts?: true;
  /** Whether the response is one page of a list with `Link` and `X-Total-Count` headers; the handler returns a Page. */
  readonly list?: true;
  /** Whether the response, an array of flat objects, is also available as CSV (`Accept: text/csv` or `format=csv`). */
  readonly csv?: true;
  /** Read-only fields that are accepted in the body and ignored, so that GET → PATCH round trips work. */
  readonly readOnlyFields?: readonly string[];
  /** Responds with 400 instead of 422 to a body that breaks the schema. */
  readonly invalidBody?: 'bad_request';
  /** Whether only accounts in `OPERATOR_EMAILS` may call the endpoint. */
  readonly operatorOnly?: true;
  /** Whether a public endpoint serves only pages of this service: a foreign Origin is rejected. */
  readonly ownOriginOnly?: true;
  /** A rate limit in addition to the general one. */
  readonly limit?:
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
   * The endpoint sets a new password and makes this browser a known device of the account. `caller`: the user confirmed
   * the old password. `link`: the user owns the address, so the count of failed sign-ins restarts at zero, and the
   * handler's result has `userId` and `email`.
   */
  readonly remembersDevice?: 'caller' | 'link';
  /** Whether a browser session that still has to set up two-step login (REQUIRE_SECOND_FACTOR) may call the endpoint. */
  readonly beforeSecondFactor?: true;
  /**
   * Differences under `/api/studio`: false if the endpoint does not exist there, otherwise the success response that its
   * clients expect.
   */
  readonly studio?: false | { readonly status: 200; readonly response?: z.ZodType };
  /** Whether the endpoint ends all browser sessions of the account but the caller's, which gets a new cookie. */
  readonly keepsSession?: true;
  readonly example: {
    readonly params?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly response?: unknown;
  };
}

/** Keeps the literal types, so that the definition types handlers and client calls. */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}

type Output<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;
type Input<S> = S extends z.ZodType ? z.input<S> : Record<string, never>;
type Part<E, K extends string> = E extends Readonly<Record<K, infer S>> ? S : undefined;

/** Path parameters for the handler, after validation. */
export type ParamsOf<E> = Output<Part<E, 'params'>>;
export type QueryOf<E> = Output<Part<E, 'query'>>;
export type BodyOf<E> = Output<Part<E, 'body'>>;

/** Path parameters from the caller. */
export type ParamsInput<E> = Input<Part<E, 'params'>>;
export type QueryInput<E> = Input<Part<E, 'query'>>;
export type BodyInput<E> = Input<Part<E, 'body'>>;

/** Response for the caller; undefined for 204. */
export type ResponseOf<E> = Part<E, 'response'> extends z.ZodType ? z.output<Part<E, 'response'>> : undefined;

export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque; null on the last page. */
  readonly nextCursor: string | null;
  /** Number of matching rows; null unless requested with `count`. */
  readonly total: number | null;
}

/** The result of an upsert. */
export interface Upserted<T> {
  readonly created: boolean;
  readonly object: T;
}

/** Return value of the handler. */
export type ReplyOf<E> = E extends { readonly list: true }
  ? Page<ResponseOf<E> extends readonly (infer T)[] ? T : never>
  : E extends { readonly upserts: true }
    ? Upserted<ResponseOf<E>>
    : Part<E, 'response'> extends z.ZodType
      ? ResponseOf<E>
      : E extends { readonly studio: { readonly response: infer S extends z.ZodType } }
        ? z.output<S>
        : // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a 204 handler may return nothing
          void;
