import { verifyPassword } from '@/lib/accounts';
import { recordAudit } from '@/lib/audit';
import type { AccountContext } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { webhookOf } from './internal';

/**
 * Shows the signing secret to its owner, who confirms with the password.
 * @throws AppError `not_found`, `forbidden` for a wrong password
 */
export async function revealSecret(
  ctx: AccountContext,
  { id, password }: { readonly id: string; readonly password: string },
): Promise<{ secret: string }> {
  const { userId, secretSealed } = await webhookOf(ctx, id);
  if (!(await verifyPassword(ctx, password))) {
    throw new AppError('forbidden', 'password: is not the password of this account');
  }
  // The line is written before the secret leaves: a reveal without a trace cannot happen.
  await recordAudit(ctx, { action: 'webhook.secret-revealed', objectId: id });
  return { secret: ctx.secrets.open({ kind: 'webhook-secret', id, userId }, secretSealed) };
}
