import type { AccountContext, Context } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import type { Exchange } from './exchange';

/** The context of a verb, acting for the authenticated caller. */
export function contextOf({ services, actor, requestId }: Exchange): Context {
  const { db, clock, secrets, settings } = services;
  return { actor, db, clock, secrets, settings, log: services.log.child({ requestId }) };
}

/** The same for endpoints that need an account. @throws AppError `unauthenticated` */
export function accountContextOf(exchange: Exchange): AccountContext {
  const { actor } = exchange;
  if (!('userId' in actor)) throw new AppError('unauthenticated', 'request is not authenticated');
  return { ...contextOf(exchange), actor };
}
