import type { z } from 'zod';
import type { EndpointAccess } from '@/lib/core/access/key-policy';
import type { RoleAccess } from '@/lib/core/access/team-roles';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One endpoint, as data. Validation, handler types, the typed client, OpenAPI and the permission list all derive from it. */
export interface Endpoint extends EndpointAccess, RoleAccess {
  /** The operation's name in OpenAPI; unique. */
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
  /** Largest body in bytes; 100 KB when left out. */
  readonly maxBodyBytes?: number;
  /** Absent if success has no body (204). */
  readonly response?: z.ZodType;
  readonly status: 200 | 201 | 204;
  /**
   * Error statuses beyond those that every endpoint of its kind has (openapi.ts adds these), each with what it means here. A
   * number alone has its usual meaning.
   */
  readonly errors: readonly (number | readonly [status: number, meaning: string])[];
  /** The response is one page of a list: `Link` and `X-Total-Count` headers, handler returns a Page. */
  readonly list?: true;
  /** The response is an array of flat objects, and can be had as CSV: with `Accept: text/csv`, or `format=csv`. */
  readonly csv?: true;
  /** Known read-only fields: accepted in the body and ignored, so that GET → PATCH round trips work. */
  readonly readOnlyFields?: readonly string[];
  /** Answer 400 instead of 422 to a body that breaks the schema. */
  readonly invalidBody?: 'bad_request';
  /** Only accounts in `OPERATOR_EMAILS` may call it. */
  readonly operatorOnly?: true;
  /** Public, but only for our own pages: a foreign Origin is rejected. */
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
    | 'target-test';
  /**
   * A new password was set, and this browser is a known device of the account from then on: `caller` confirmed the old
   * password; `link` proved to own the address, so failed sign-ins are counted from zero again. The handler's result of
   * `link` has `userId` and `email`.
   */
  readonly remembersDevice?: 'caller' | 'link';
  /** Works for a browser session that has to set up two-step login first (REQUIRE_SECOND_FACTOR). */
  readonly beforeSecondFactor?: true;
  /**
   * How `/api/studio` differs in this endpoint: false if it does not exist there, otherwise what its clients take for
   * success.
   */
  readonly studio?: false | { readonly status: 200; readonly response?: z.ZodType };
  /** It ends every browser session of the account: the one of the caller continues with a new cookie. */
  readonly keepsSession?: true;
  readonly example: {
    readonly params?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly response?: unknown;
  };
}

/** Keeps the literal types, so that handlers and client calls are typed by the definition. */
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

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque; null on the last page. */
  readonly nextCursor: string | null;
  /** All matching rows; null unless asked for with `count`. */
  readonly total: number | null;
}

/** Return value of the handler. */
export type ReplyOf<E> = E extends { readonly list: true }
  ? Page<ResponseOf<E> extends readonly (infer T)[] ? T : never>
  : Part<E, 'response'> extends z.ZodType
    ? ResponseOf<E>
    : E extends { readonly studio: { readonly response: infer S extends z.ZodType } }
      ? z.output<S>
      : // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a 204 handler may return nothing
        void;
