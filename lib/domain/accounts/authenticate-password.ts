import { recordAudit } from '@/lib/domain/audit';
import { type AccountContext, type Context, transact } from '@/lib/domain/context';
import { missingSteps, type SecondStep } from '@/lib/core/accounts/sign-in-steps';
import { AppError } from '@/lib/core/errors';
import { compareWithDecoy, hashPassword, needsRehash, passwordMatches } from '@/lib/infra/hash-password';
import { readFactors } from './factors/factors';

/** Account whose password was correct. */
interface AuthenticatedAccount {
  readonly id: string;
  readonly email: string;
  readonly sessionVersion: number;
  /** Steps that the sign-in still needs; empty when it is complete. */
  readonly steps: readonly SecondStep[];
}

const accountColumns = {
  id: true,
  email: true,
  sessionVersion: true,
  passwordHash: true,
  suspended: true,
} as const;
const MAX_PASSWORD_LENGTH = 1000;
/** Maximum length of an address in SMTP (RFC 5321). */
const MAX_EMAIL_LENGTH = 254;

/**
 * The account with this email address and password. Returns null for an unknown address, a wrong password and a suspended
 * account alike, in equal time. Every outcome for an existing account is in the audit log.
 */
export async function authenticatePassword(
  ctx: Context,
  input: { readonly email: string; readonly password: string },
): Promise<AuthenticatedAccount | null> {
  const password = input.password.slice(0, MAX_PASSWORD_LENGTH).normalize('NFKC');
  const email = input.email.slice(0, MAX_EMAIL_LENGTH).trim().toLowerCase();
  // PostgreSQL rejects a statement with a NUL character in a text.
  const account = email.includes('\0')
    ? null
    : await ctx.db.account.findUnique({ where: { email }, select: accountColumns });
  if (!account) {
    await compareWithDecoy(password);
    return null;
  }
  if (!(await passwordMatches(account.passwordHash, password)) || account.suspended) {
    await recordAudit(ctx, { action: 'account.sign-in-refused', objectId: account.id, userId: account.id });
    return null;
  }
  const { id, sessionVersion } = account;
  const steps = missingSteps('password', await readFactors(ctx, id));
  if (steps.length > 0) {
    await recordAudit(ctx, { action: 'account.second-step-asked', objectId: id, userId: id });
  } else await recordSignIn(ctx, account, password);
  return { id, email: account.email, sessionVersion, steps };
}

/** Records a complete sign-in, and stores a new hash of the password if the present one has outdated parameters. */
async function recordSignIn(
  ctx: Context,
  account: { readonly id: string; readonly passwordHash: string },
  password: string,
): Promise<void> {
  const newHash = needsRehash(account.passwordHash) ? await hashPassword(password) : null;
  await transact(ctx, async (tx) => {
    const data = { lastSeen: ctx.clock.now(), ...(newHash ? { passwordHash: newHash } : {}) };
    await tx.db.account.update({ where: { id: account.id }, data });
    await recordAudit(tx, { action: 'account.signed-in', objectId: account.id, userId: account.id });
  });
}

/** Checks the password of the signed-in account, for actions that require it again. */
export async function verifyPassword(ctx: AccountContext, password: string): Promise<boolean> {
  const account = await ctx.db.account.findUnique({
    where: { id: ctx.actor.userId },
    select: { passwordHash: true },
  });
  const normalizedPassword = password.slice(0, MAX_PASSWORD_LENGTH).normalize('NFKC');
  return account !== null && passwordMatches(account.passwordHash, normalizedPassword);
}

/**
 * Confirms the password before an action that can't be undone.
 * @param field name in the error message
 * @throws AppError `forbidden` for a wrong password
 */
export async function confirmPassword(ctx: AccountContext, password: string, field: string): Promise<void> {
  if (await verifyPassword(ctx, password)) return;
  throw new AppError('forbidden', { field, message: 'is not the password of this account' });
}
