import { randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type AccountContext, type Context } from '@/lib/domain/context';
import { hasSecondFactor, RECOVERY_CODE_COUNT, formatRecoveryCode } from '@/lib/core/accounts/sign-in-steps';
import { AppError } from '@/lib/core/errors';
import { confirmPassword } from '@/lib/domain/accounts/authenticate-password';
import { readFactors } from './factors';

/** 80 bits, which is 16 characters of base 32. */
const CODE_BYTES = 10;

const digestOf = ({ secrets }: Pick<Context, 'secrets'>, userId: string, code: string) =>
  secrets.sign('recovery-codes', `${userId}\0${code}`);

/**
 * Replaces all recovery codes.
 * @returns the new codes, formatted for people; they cannot be shown again
 */
export async function replaceRecoveryCodes(ctx: Context, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    new Secret({ buffer: Uint8Array.from(randomBytes(CODE_BYTES)).buffer }).base32.toLowerCase(),
  );
  await ctx.db.recoveryCode.deleteMany({ where: { userId } });
  await ctx.db.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, digest: digestOf(ctx, userId, code) })),
  });
  return codes.map(formatRecoveryCode);
}

/**
 * Marks a code as used. Of concurrent attempts with the same code, one succeeds.
 * @param code normalized by `readTypedCode`
 */
export async function consumeRecoveryCode(ctx: Context, userId: string, code: string): Promise<boolean> {
  const { count } = await ctx.db.recoveryCode.deleteMany({
    where: { userId, digest: digestOf(ctx, userId, code) },
  });
  return count > 0;
}

/**
 * Replaces the recovery codes of the caller.
 * @throws AppError `forbidden` for a wrong password, `conflict` if the account has no factor
 */
export async function createRecoveryCodes(
  ctx: AccountContext,
  { password }: { readonly password: string },
): Promise<{ recoveryCodes: string[] }> {
  const { userId } = ctx.actor;
  await confirmPassword(ctx, password, 'password');
  if (!hasSecondFactor(await readFactors(ctx, userId))) {
    throw new AppError('conflict', 'two-step login is off: set up an authenticator app or a passkey first');
  }
  const recoveryCodes = await transact(ctx, async (tx) => {
    // Locks the account, so that concurrent requests run one after the other.
    await tx.db.$executeRaw`select 1 from "Account" where "id" = ${userId}::uuid for update`;
    await recordAudit(tx, { action: 'account.recovery-codes-replaced', objectId: userId, userId });
    return replaceRecoveryCodes(tx, userId);
  });
  return { recoveryCodes };
}
