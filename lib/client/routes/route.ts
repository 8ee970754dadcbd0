import type { z } from 'zod';
import type { Endpoint } from '@/lib/contract/define-endpoint';

/**
 * The part of an endpoint that requests need. The contract itself, with its schemas and descriptions, stays out of the
 * pages (docs/adr/0107-routes-without-the-contract.md); the compiler compares each route with it.
 */
export type Route<E extends Endpoint> = Pick<E, 'method' | 'path'> &
  (E extends { readonly body: z.ZodType } ? { readonly sendsBody: true } : { readonly sendsBody?: never }) & {
    /** Exists for the compiler only. */
    readonly endpoint?: E;
  };

/** The endpoint of a route. */
export type EndpointOf<R> = R extends { readonly endpoint?: infer E extends Endpoint } ? E : never;

/** The route of an endpoint, for code outside the pages. */
export function routeOf<E extends Endpoint>(endpoint: E): Route<E> {
  const { method, path, body } = endpoint;
  return { method, path, ...(body ? { sendsBody: true } : {}) } as Route<E>;
}
