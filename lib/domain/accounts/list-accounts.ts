import type { Context, TeamContext } from '@/lib/domain/context';
import type { User } from '@/lib/contract/accounts/account';
import { notFound } from '@/lib/core/errors';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly suspended: boolean;
}

export const accountFields = { id: true, email: true, createdAt: true, suspended: true } as const;

/** All accounts, oldest first, for the operator. */
export async function listAccounts(ctx: Context): Promise<Account[]> {
  return ctx.db.account.findMany({
    where: { deletedAt: null },
    select: accountFields,
    orderBy: { createdAt: 'asc' },
  });
}

/** Whether any account exists, including accounts that are being deleted. */
export async function accountsExist(ctx: Context): Promise<boolean> {
  return (await ctx.db.account.findFirst({ select: { id: true } })) !== null;
}

/** @throws AppError `not_found` */
export async function findAccountByEmail(ctx: Context, email: string): Promise<Account> {
  const account = await ctx.db.account.findUnique({
    where: { email: email.trim().toLowerCase() },
    select: accountFields,
  });
  if (!account) throw notFound(`no account with the address ${email}`);
  return account;
}

/** The account of the person who makes the request. For an API key, the account of the team's first owner. */
export async function getAccount(ctx: TeamContext): Promise<User> {
  const { userId, teamId } = ctx.actor;
  const member = await ctx.db.teamMember.findFirst({
    where: userId === undefined ? { teamId, role: 'owner' } : { userId },
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    select: { account: true },
  });
  const account = member?.account;
  if (!account) throw notFound();
  return {
    id: account.id,
    kind: 'user',
    email: account.email,
    // Sign-up does not confirm the address.
    emailValid: account.emailProvenAt !== null,
    createdAt: account.createdAt.getTime(),
    lastSeen: account.lastSeen?.getTime() ?? 0,
    suspended: account.suspended,
  };
}
