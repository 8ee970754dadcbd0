import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { newId } from '@/lib/infra/ids';
import { confirmPassword } from './confirm-password';
import { hashPassword } from './hash-password';

/**
 * Deletes the caller's account. As for a suspended one, publishes are cut within seconds, and playback, keys,
 * deliveries and tasks stop at once; `windUpAccounts` removes the rest. The address is free for another account.
 * @throws AppError `invalid` when the address is another one, `forbidden` for a wrong password
 */
export async function deleteAccount(
  ctx: AccountContext,
  input: { readonly email: string; readonly password: string },
): Promise<void> {
  const { userId } = ctx.actor;
  const account = await ctx.db.account.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  if (input.email.trim().toLowerCase() !== account.email) {
    throw new AppError('invalid', 'email: is not the email address of this account');
  }
  await confirmPassword(ctx, input.password, 'password');
  // Hash of a password that nobody knows.
  const passwordHash = await hashPassword(newId());
  await transact(ctx, async (tx) => {
    await tx.db.account.update({
      where: { id: userId },
      data: {
        email: `deleted:${userId}`,
        passwordHash,
        suspended: true,
        sessionVersion: { increment: 1 },
        deletedAt: ctx.clock.now(),
      },
    });
    await recordAudit(tx, { action: 'account.deleted', objectId: userId });
  });
}
