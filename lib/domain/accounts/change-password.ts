import { recordAudit } from '@/lib/domain/audit';
import { transact, type AccountContext } from '@/lib/domain/context';
import { confirmPassword } from './authenticate-password';
import { deleteLinks } from './links';
import { hashPassword, rejectCommonPassword } from '@/lib/infra/hash-password';

interface PasswordChange {
  readonly currentPassword: string;
  /** Normalized (NFKC) by the contract. */
  readonly newPassword: string;
}

/**
 * Changes the password and ends every sign-in session, so that the old password grants nothing.
 * @throws AppError `forbidden` if the current password is wrong, `invalid` for a common new password
 */
export async function changePassword(ctx: AccountContext, change: PasswordChange): Promise<void> {
  const { userId } = ctx.actor;
  await confirmPassword(ctx, change.currentPassword, 'currentPassword');
  rejectCommonPassword(change.newPassword, 'newPassword');
  const passwordHash = await hashPassword(change.newPassword);
  await transact(ctx, async (tx) => {
    await tx.db.account.update({
      where: { id: userId },
      data: { passwordHash, sessionVersion: { increment: 1 } },
    });
    await deleteLinks(tx, userId);
    await recordAudit(tx, { action: 'account.password-changed', objectId: userId, userId });
  });
}
