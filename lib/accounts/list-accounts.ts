import type { Context } from '@/lib/context';
import { AppError } from '@/lib/core/errors';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly suspended: boolean;
}

export const accountFields = { id: true, email: true, createdAt: true, suspended: true } as const;

/** All accounts, the oldest first; for the operator. */
export async function listAccounts(ctx: Context): Promise<Account[]> {
  return ctx.db.account.findMany({
    where: { deletedAt: null },
    select: accountFields,
    orderBy: { createdAt: 'asc' },
  });
}

/** @throws AppError `not_found` */
export async function findAccountByEmail(ctx: Context, email: string): Promise<Account> {
  const account = await ctx.db.account.findUnique({
    where: { email: email.trim().toLowerCase() },
    select: accountFields,
  });
  if (!account) throw new AppError('not_found', `no account with the address ${email}`);
  return account;
}
