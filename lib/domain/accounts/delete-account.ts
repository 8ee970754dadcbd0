import { recordAudit } from '@/lib/domain/audit';
import { type AccountContext, type Context, type SystemContext, transact } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { newId } from '@/lib/infra/ids';
import { updateStatusOfOwnedTeams, expireDeletedTeams } from '@/lib/domain/teams';
import { confirmPassword } from './authenticate-password';
import { hashPassword } from '@/lib/infra/hash-password';

/**
 * Deletes the caller's account. As with a suspended account, publishers are disconnected within seconds, and playback,
 * keys, deliveries and tasks stop immediately; `expireDeletedAccounts` deletes the data. The address can be used by
 * another account.
 * @throws AppError `invalid` if the address is not that of the account, `forbidden` for a wrong password
 */
export async function deleteAccount(
  ctx: AccountContext,
  input: { readonly email: string; readonly password: string },
): Promise<void> {
  const { userId } = ctx.actor;
  const account = await ctx.db.account.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  if (input.email.trim().toLowerCase() !== account.email) {
    throw new AppError('invalid', { field: 'email', message: 'is not the email address of this account' });
  }
  await confirmPassword(ctx, input.password, 'password');
  const passwordHash = await createUnusablePasswordHash();
  await transact(ctx, async (tx) => {
    await markAccountDeleted(tx, userId, passwordHash);
    await recordAudit(tx, { action: 'account.deleted', objectId: userId, userId });
  });
}

/** Hash of a random password that is not stored. */
export const createUnusablePasswordHash = (): Promise<string> => hashPassword(newId());

/** Marks an account as deleted and suspended, with the teams that it alone owns; `expireDeletedAccounts` deletes the data. */
export async function markAccountDeleted(ctx: Context, userId: string, passwordHash: string): Promise<void> {
  await ctx.db.account.update({
    where: { id: userId },
    data: {
      email: `deleted:${userId}`,
      passwordHash,
      suspended: true,
      sessionVersion: { increment: 1 },
      deletedAt: ctx.clock.now(),
    },
  });
  await updateStatusOfOwnedTeams(ctx, userId);
}

const BATCH_SIZE = 20;

/**
 * Deletes the rows of deleted accounts, each after the teams that were deleted with it. Runs periodically and can be
 * interrupted.
 * @returns the number of accounts
 */
export async function expireDeletedAccounts(ctx: SystemContext): Promise<number> {
  await expireDeletedTeams(ctx);
  const accounts = await ctx.db.account.findMany({
    where: { deletedAt: { not: null }, memberships: { none: { team: { deletedAt: { not: null } } } } },
    select: { id: true },
    orderBy: { deletedAt: 'asc' },
    take: BATCH_SIZE,
  });
  for (const { id } of accounts) await ctx.db.account.delete({ where: { id } });
  return accounts.length;
}
