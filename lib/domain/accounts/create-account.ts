import { recordAudit } from '@/lib/domain/audit';
import { type Context, transact } from '@/lib/domain/context';
import { credentials } from '@/lib/contract/accounts/account';
import { parseInput } from '@/lib/contract/issues';
import { AppError } from '@/lib/core/errors';
import { newId } from '@/lib/infra/ids';
import { hashPassword, rejectCommonPassword } from '@/lib/infra/hash-password';
import { insertTeam } from '@/lib/domain/teams';
import { admitSignUp, acceptInvitation } from './invitations';
import { isOperatorEmail } from './operators';
import { joinInvitedTeam } from './team-invitations';
import { type Account, accountFields } from './list-accounts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Creates an account that can sign in immediately, and its personal team, which has the same id.
 * @throws AppError `invalid` (address, password), `conflict` if the address has an account
 */
export async function createAccount(ctx: Context, input: Credentials): Promise<Account> {
  return insertAccount(ctx, await checkCredentials(input));
}

async function checkCredentials(input: Credentials): Promise<{ email: string; passwordHash: string }> {
  const { email, password } = parseInput(credentials, input);
  rejectCommonPassword(password);
  return { email, passwordHash: await hashPassword(password) };
}

/** @throws AppError `conflict` if the address has an account */
export async function insertAccount(
  ctx: Context,
  { email, passwordHash }: { readonly email: string; readonly passwordHash: string },
): Promise<Account> {
  return transact(ctx, async (tx) => {
    const id = newId();
    // One statement decides, so that two concurrent sign-ups cannot both succeed.
    const { count } = await tx.db.account.createMany({
      data: [{ id, email, passwordHash, createdAt: ctx.clock.now() }],
      skipDuplicates: true,
    });
    if (count === 0)
      throw new AppError('conflict', { field: 'email', message: `${email} already has an account` });
    await insertTeam(tx, { id, name: email.slice(0, email.indexOf('@')), ownerId: id });
    await recordAudit(tx, { action: 'account.created', objectId: id, userId: id });
    return tx.db.account.findUniqueOrThrow({ where: { id }, select: accountFields });
  });
}

/**
 * Creates an account for a visitor. The response and its duration do not reveal whether an address has an account or
 * belongs to an operator.
 * @throws AppError `invalid`, `forbidden` if sign-up is closed or requires an invitation
 */
export async function signUp(
  ctx: Context,
  { invitation, ...input }: Credentials & { readonly invitation?: string },
): Promise<{ email: string }> {
  const attempt = { token: invitation, email: input.email };
  const { invitationId, invitedEmail } = await admitSignUp(ctx, attempt);
  const credentials = await checkCredentials(input);
  // Addresses are not confirmed, so anyone could sign up with the address of an operator. Only an invitation allows it.
  if (isOperatorEmail(ctx, credentials.email) && invitedEmail !== credentials.email) {
    ctx.log.warn('sign-up with an address of OPERATOR_EMAILS: only account:create makes this account');
    return { email: input.email };
  }
  try {
    await transact(ctx, async (tx) => {
      if (invitationId !== null) await acceptInvitation(tx, invitationId);
      const { id } = await insertAccount(tx, credentials);
      if (invitationId !== null) await joinInvitedTeam(tx, invitationId, id);
    });
  } catch (error) {
    // Visitors must not learn that the address has an account.
    if (!(error instanceof AppError && error.code === 'conflict')) throw error;
  }
  return { email: input.email };
}
