import { credentials } from '@/lib/contract/account';
import { parseInput } from '@/lib/contract/issues';
import { recordAudit } from '@/lib/audit';
import { transact, type Context } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { newId } from '@/lib/infra/ids';
import { hashPassword } from './hash-password';
import { accountFields, type Account } from './list-accounts';
import { refuseCommonPassword } from './refuse-common-password';

/**
 * Creates an account that can sign in at once.
 * @throws AppError `invalid` (address, password), `conflict` when the address has an account
 */
export async function createAccount(
  ctx: Context,
  input: { readonly email: string; readonly password: string },
): Promise<Account> {
  const { email, password } = parseInput(credentials, input);
  refuseCommonPassword(password);
  const passwordHash = await hashPassword(password);
  return transact(ctx, async (tx) => {
    const id = newId();
    // One statement decides: two sign-ups at the same moment cannot both win.
    const { count } = await tx.db.account.createMany({
      data: [{ id, email, passwordHash, createdAt: ctx.clock.now() }],
      skipDuplicates: true,
    });
    if (count === 0) throw new AppError('conflict', `email: ${email} already has an account`);
    await recordAudit(tx, { action: 'account.created', objectId: id, userId: id });
    return tx.db.account.findUniqueOrThrow({ where: { id }, select: accountFields });
  });
}
