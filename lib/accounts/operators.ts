import type { AccountContext, Context } from '@/lib/context';
import { AppError } from '@/lib/core/errors';

/** Whether the account with this address operates the service. */
export const isOperatorAddress = ({ settings }: Pick<Context, 'settings'>, email: string): boolean =>
  settings.operatorEmails.includes(email.trim().toLowerCase());

/** @throws AppError `forbidden` unless the acting account operates the service */
export async function requireOperator(ctx: AccountContext): Promise<void> {
  const account = await ctx.db.account.findUnique({
    where: { id: ctx.actor.userId },
    select: { email: true },
  });
  if (account && isOperatorAddress(ctx, account.email)) return;
  throw new AppError('forbidden', 'only operators may do this: the setting OPERATOR_EMAILS names them');
}
