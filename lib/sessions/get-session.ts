import type { AccountContext } from '@/lib/context';
import type { Session } from '@/lib/contract/session';
import { AppError } from '@/lib/core/errors';
import { serializeSession } from './serialize';

/** @throws AppError `not_found`, for a missing and a foreign session alike */
export async function getSession(ctx: AccountContext, id: string): Promise<Session> {
  const row = await ctx.db.session.findFirst({ where: { id, userId: ctx.actor.userId } });
  if (!row) throw new AppError('not_found', 'not found');
  return serializeSession(row, ctx.settings);
}
