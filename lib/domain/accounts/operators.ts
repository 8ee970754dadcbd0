import type { TeamContext, Context } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';

/** Whether an email address is in OPERATOR_EMAILS, so that its account operates the service. */
export const isOperatorEmail = ({ settings }: Pick<Context, 'settings'>, email: string): boolean =>
  settings.operatorEmails.includes(email.trim().toLowerCase());

const readEmail = ({ db }: Context, id: string) =>
  db.account.findUnique({ where: { id, suspended: false }, select: { email: true } });

/**
 * Checks that the acting account operates the service. A key acts for the person who created it, so that other members of
 * an operator's team get no operator rights.
 * @throws AppError `forbidden`
 */
export async function requireOperator(ctx: TeamContext): Promise<void> {
  const id = ctx.actor.userId ?? ctx.actor.keyCreator;
  const account = id === undefined ? null : await readEmail(ctx, id);
  if (account && isOperatorEmail(ctx, account.email)) return;
  throw new AppError('forbidden', 'only operators may do this: the setting OPERATOR_EMAILS names them');
}
