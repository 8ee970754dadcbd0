import type { TeamContext, Context } from '@/lib/context';
import { AppError } from '@/lib/core/errors';

/** Whether the account with this address operates the service. */
export const isOperatorAddress = ({ settings }: Pick<Context, 'settings'>, email: string): boolean =>
  settings.operatorEmails.includes(email.trim().toLowerCase());

/**
 * A key acts for the account whose team it belongs to.
 * @throws AppError `forbidden` unless the acting account operates the service
 */
export async function requireOperator(ctx: TeamContext): Promise<void> {
  const { userId, teamId } = ctx.actor;
  const account = await ctx.db.account.findUnique({
    where: { id: userId ?? teamId },
    select: { email: true },
  });
  if (account && isOperatorAddress(ctx, account.email)) return;
  throw new AppError('forbidden', 'only operators may do this: the setting OPERATOR_EMAILS names them');
}
