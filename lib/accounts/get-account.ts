import type { AccountContext } from '@/lib/context';
import type { User } from '@/lib/contract/user';
import { AppError } from '@/lib/core/errors';

/** The account that makes the request. */
export async function getAccount(ctx: AccountContext): Promise<User> {
  const account = await ctx.db.account.findUnique({ where: { id: ctx.actor.userId } });
  if (!account) throw new AppError('not_found', 'not found');
  return {
    id: account.id,
    kind: 'user',
    email: account.email,
    // No mail is sent by this service, so no address is ever confirmed.
    emailValid: false,
    createdAt: account.createdAt.getTime(),
    lastSeen: account.lastSeen?.getTime() ?? 0,
    suspended: account.suspended,
  };
}
