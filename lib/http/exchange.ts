import type { AccountContext, Actor, Context, TeamContext } from '@/lib/domain/context';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { AppError } from '@/lib/core/errors';
import { forwardedAddress } from '@/lib/infra/egress/ip-address';
import { newId } from '@/lib/infra/ids';
import type { Logger } from '@/lib/infra/logger';
import type { Services } from './services';

/** A request on its way through the API, with everything that its steps share. */
export interface Exchange {
  readonly services: Services;
  /** Adds the request id to its lines. */
  readonly log: Logger;
  readonly request: Request;
  readonly requestId: string;
  /** IP address of the client. */
  readonly ip: string;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** Headers of the response, including error responses. */
  readonly headers: Headers;
  /** Null if no endpoint matched: unknown path, wrong method, preflight. */
  readonly endpoint: Endpoint | null;
  actor: Actor;
}

const requestIdFormat = /^[\w.-]{1,64}$/;

/** Uses the caller's X-Request-Id if it is harmless, otherwise generates one for error messages and logs. */
export function startExchange(services: Services, request: Request, endpoint: Endpoint | null): Exchange {
  const clientRequestId = request.headers.get('x-request-id');
  const requestId =
    clientRequestId !== null && requestIdFormat.test(clientRequestId) ? clientRequestId : newId();
  const ip = forwardedAddress(request.headers);
  return {
    services,
    log: services.log.child({ requestId }),
    request,
    requestId,
    ip,
    startedAt: services.clock.monotonic(),
    headers: new Headers({ 'x-request-id': requestId, 'cache-control': 'no-store', vary: 'Origin' }),
    endpoint,
    actor: { kind: 'anonymous', ip, ...userAgentOf(request) },
  };
}

/** IP address and user agent of a request, for its actor. */
export function clientOf(exchange: Exchange): { ip: string; userAgent?: string } {
  return { ip: exchange.ip, ...userAgentOf(exchange.request) };
}

function userAgentOf(request: Request): { userAgent?: string } {
  const userAgent = request.headers.get('user-agent');
  return userAgent === null ? {} : { userAgent };
}

/** The context of the authenticated caller for domain functions. */
export function contextOf({ services, actor, log }: Exchange): Context {
  const { db, clock, secrets, settings } = services;
  return { actor, db, clock, secrets, settings, log };
}

/**
 * Context for endpoints on objects of a team.
 * @throws AppError `unauthenticated`
 */
export function teamContextOf(exchange: Exchange): TeamContext {
  const { actor } = exchange;
  if (!('teamId' in actor)) throw new AppError('unauthenticated', 'request is not authenticated');
  return { ...contextOf(exchange), actor };
}

/**
 * Context for endpoints of a person's account, which keys can't call.
 * @throws AppError `unauthenticated`
 */
export function accountContextOf(exchange: Exchange): AccountContext {
  const ctx = teamContextOf(exchange);
  const { userId } = ctx.actor;
  if (userId === undefined) throw new AppError('unauthenticated', 'request is not authenticated');
  return { ...ctx, actor: { ...ctx.actor, userId } };
}
