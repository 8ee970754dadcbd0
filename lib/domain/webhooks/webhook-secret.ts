import { verifyPassword } from '@/lib/domain/accounts';
import { recordAudit } from '@/lib/domain/audit';
import { type AccountContext, transact } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { newWebhookSecret } from '@/lib/infra/ids';
import { newSecretColumns, requireWebhook } from './internal';

/**
 * Returns the signing secret after the caller confirmed with the password.
 * @throws AppError `not_found`, `forbidden` for a wrong password
 */
export async function revealSecret(
  ctx: AccountContext,
  { id, password }: { readonly id: string; readonly password: string },
): Promise<{ secret: string }> {
  const { teamId, secretSealed } = await requireWebhook(ctx, id);
  if (!(await verifyPassword(ctx, password))) {
    throw new AppError('forbidden', { field: 'password', message: 'is not the password of this account' });
  }
  // The audit entry is written first, so that no reveal goes unrecorded.
  await recordAudit(ctx, { action: 'webhook.secret-revealed', objectId: id });
  return { secret: ctx.secrets.open({ kind: 'webhook-secret', id, teamId }, secretSealed) };
}

/**
 * Creates a new secret. The previous secret stays valid for 24 hours.
 * @throws AppError `not_found`, `forbidden` for a wrong password
 */
export async function rollSecret(
  ctx: AccountContext,
  { id, password }: { readonly id: string; readonly password: string },
): Promise<{ secret: string; previousUntil: number }> {
  await requireWebhook(ctx, id);
  if (!(await verifyPassword(ctx, password))) {
    throw new AppError('forbidden', { field: 'password', message: 'is not the password of this account' });
  }
  const secret = newWebhookSecret();
  return transact(ctx, async (tx) => {
    // Locks the row, so that two concurrent rolls do not both store the same previous secret.
    await tx.db.$queryRaw`select 1 from "Webhook" where "id" = ${id}::uuid for no key update`;
    const data = newSecretColumns(tx, await requireWebhook(tx, id), secret);
    await tx.db.webhook.update({ where: { id }, data });
    await recordAudit(tx, { action: 'webhook.secret-rolled', objectId: id });
    // The columns are never empty, because a new secret differs from the current one.
    return { secret, previousUntil: data.secretPreviousUntil?.getTime() ?? 0 };
  });
}
