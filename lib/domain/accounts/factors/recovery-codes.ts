import { randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type AccountContext, type Context } from '@/lib/domain/context';
import { hasFactor, recoveryCodeCount, spellRecoveryCode } from '@/lib/core/accounts/sign-in-steps';
import { AppError } from '@/lib/core/errors';
import { confirmPassword } from '@/lib/domain/accounts/authenticate-password';
import { factorsOf } from './factors';

/** 80 bits: 16 characters of base 32. */
const codeBytes = 10;

const digestOf = ({ secrets }: Pick<Context, 'secrets'>, userId: string, code: string) =>
  secrets.sign('recovery-codes', `${userId}\0${code}`);

/** New recovery codes in place of all others. @returns them as people copy them; nothing can show them again */
export async function replaceRecoveryCodes(ctx: Context, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    new Secret({ buffer: Uint8Array.from(randomBytes(codeBytes)).buffer }).base32.toLowerCase(),
  );
  await ctx.db.recoveryCode.deleteMany({ where: { userId } });
  await ctx.db.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, digest: digestOf(ctx, userId, code) })),
  });
  return codes.map(spellRecoveryCode);
}

/** Uses a code up. One of several attempts with it at the same moment succeeds. @param code as `readTypedCode` reads it */
export async function takeRecoveryCode(ctx: Context, userId: string, code: string): Promise<boolean> {
  const { count } = await ctx.db.recoveryCode.deleteMany({
    where: { userId, digest: digestOf(ctx, userId, code) },
  });
  return count > 0;
}

/**
 * New recovery codes for the caller; the old ones stop working.
 * @throws AppError `forbidden` for a wrong password, `conflict` without a factor that they could replace
 */
export async function newRecoveryCodes(
  ctx: AccountContext,
  { password }: { readonly password: string },
): Promise<{ recoveryCodes: string[] }> {
  const { userId } = ctx.actor;
  await confirmPassword(ctx, password, 'password');
  if (!hasFactor(await factorsOf(ctx, userId))) {
    throw new AppError('conflict', 'two-step login is off: set up an authenticator app or a passkey first');
  }
  const recoveryCodes = await transact(ctx, async (tx) => {
    // One of two requests at the same moment waits for the other.
    await tx.db.$executeRaw`select 1 from "Account" where "id" = ${userId}::uuid for update`;
    await recordAudit(tx, { action: 'account.recovery-codes-replaced', objectId: userId, userId });
    return replaceRecoveryCodes(tx, userId);
  });
  return { recoveryCodes };
}
