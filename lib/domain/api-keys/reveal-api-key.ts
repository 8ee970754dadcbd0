import { verifyPassword } from '@/lib/domain/accounts';
import { recordAudit } from '@/lib/domain/audit';
import type { AccountContext } from '@/lib/domain/context';
import { AppError, notFound } from '@/lib/core/errors';
import { requireAdminForScopeAll } from './create-api-key';

/**
 * Returns the secret of a key after the caller confirmed with the password.
 * @throws AppError `not_found`, `forbidden` for a wrong password, and for the scope `all` below admin
 */
export async function revealApiKey(
  ctx: AccountContext,
  input: { readonly id: string; readonly password: string },
): Promise<{ secret: string }> {
  const { id, password } = input;
  const { teamId } = ctx.actor;
  const key = await ctx.db.apiKey.findFirst({
    where: { id, teamId },
    select: { secretSealed: true, scopes: true },
  });
  if (!key) throw notFound();
  requireAdminForScopeAll(ctx, key.scopes);
  if (!(await verifyPassword(ctx, password))) {
    throw new AppError('forbidden', { field: 'password', message: 'is not the password of this account' });
  }
  // The audit entry is written before the secret is returned, so no reveal goes unrecorded.
  await recordAudit(ctx, { action: 'api-key.revealed', objectId: id });
  return { secret: ctx.secrets.open({ kind: 'api-key', id, teamId }, key.secretSealed) };
}
