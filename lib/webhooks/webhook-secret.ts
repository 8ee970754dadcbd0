import { verifyPassword } from '@/lib/accounts';
import { recordAudit } from '@/lib/audit';
import { type AccountContext, transact } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { newWebhookSecret } from '@/lib/infra/ids';
import { replacedSecret, webhookOf } from './internal';

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

/**
 * Creates a new secret; the previous one signs too for 24 hours.
 * @throws AppError `not_found`, `forbidden` for a wrong password
 */
export async function rollSecret(
  ctx: AccountContext,
  { id, password }: { readonly id: string; readonly password: string },
): Promise<{ secret: string; previousUntil: number }> {
  await webhookOf(ctx, id);
  if (!(await verifyPassword(ctx, password))) {
    throw new AppError('forbidden', 'password: is not the password of this account');
  }
  const secret = newWebhookSecret();
  return transact(ctx, async (tx) => {
    // One roll at a time: otherwise two could both keep the same predecessor, and one secret would be lost.
    await tx.db.$queryRaw`select 1 from "Webhook" where "id" = ${id}::uuid for no key update`;
    const data = replacedSecret(tx, await webhookOf(tx, id), secret);
    await tx.db.webhook.update({ where: { id }, data });
    await recordAudit(tx, { action: 'webhook.secret-rolled', objectId: id });
    return { secret, previousUntil: data.secretPreviousUntil?.getTime() ?? 0 };
  });
}
