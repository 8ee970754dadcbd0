import { recordAudit } from '@/lib/domain/audit';
import { transact, type AccountContext, type Context } from '@/lib/domain/context';
import type { SignInFactors } from '@/lib/contract/accounts/sign-in-factors';
import {
  hasSecondFactor,
  requiresFactorSetup,
  relyingPartyIdOf,
  type Factors,
} from '@/lib/core/accounts/sign-in-steps';
import { isOperatorEmail } from '@/lib/domain/accounts/operators';
import { serializePasskey } from './serialize-passkey';

export async function readFactors({ db }: Pick<Context, 'db'>, userId: string): Promise<Factors> {
  const [totp, passkeys, recoveryCodes] = await Promise.all([
    db.totpFactor.count({ where: { userId } }),
    db.passkey.count({ where: { userId } }),
    db.recoveryCode.count({ where: { userId } }),
  ]);
  return { hasTotp: totp > 0, passkeyCount: passkeys, recoveryCodeCount: recoveryCodes };
}

export async function getFactors(ctx: AccountContext): Promise<SignInFactors> {
  const { userId } = ctx.actor;
  const [totp, passkeys, recoveryCodesLeft] = await Promise.all([
    ctx.db.totpFactor.findUnique({ where: { userId }, select: { createdAt: true } }),
    ctx.db.passkey.findMany({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
    ctx.db.recoveryCode.count({ where: { userId } }),
  ]);
  return {
    totp: totp && { createdAt: totp.createdAt.getTime() },
    passkeys: passkeys.map(serializePasskey),
    recoveryCodesLeft,
    passkeyHost: relyingPartyIdOf(ctx.settings.baseUrl),
  };
}

/** Whether the account must set up a factor before its session can do anything else (REQUIRE_SECOND_FACTOR). */
export async function mustSetUpFactor(
  ctx: Pick<Context, 'db' | 'settings'>,
  { id, email }: { readonly id: string; readonly email: string },
  { byIssuer }: { readonly byIssuer: boolean },
): Promise<boolean> {
  const requirement = ctx.settings.requireSecondFactor;
  if (
    !requiresFactorSetup({ requirement, isOperator: isOperatorEmail(ctx, email), isIssuerSession: byIssuer })
  )
    return false;
  return !hasSecondFactor(await readFactors(ctx, id));
}

/** Locks the account, so that its factors change one at a time, and ends every sign-in session of it. */
export async function lockAndEndSessions({ db }: Pick<Context, 'db'>, userId: string): Promise<void> {
  await db.account.update({ where: { id: userId }, data: { sessionVersion: { increment: 1 } } });
}

/** Deletes the recovery codes if the account has no factor. */
export async function deleteUnusedRecoveryCodes(ctx: Context, userId: string): Promise<void> {
  if (!hasSecondFactor(await readFactors(ctx, userId)))
    await ctx.db.recoveryCode.deleteMany({ where: { userId } });
}

/** Deletes all factors: the account signs in with its password alone. */
export async function deleteFactors({ db }: Pick<Context, 'db'>, userId: string): Promise<void> {
  await db.totpFactor.deleteMany({ where: { userId } });
  await db.passkey.deleteMany({ where: { userId } });
  await db.recoveryCode.deleteMany({ where: { userId } });
}

/** Deletes every factor of an account whose owner lost them, and ends its sign-in sessions. For the operator. */
export async function resetFactors(ctx: AccountContext): Promise<void> {
  const { userId } = ctx.actor;
  await transact(ctx, async (tx) => {
    await lockAndEndSessions(tx, userId);
    await deleteFactors(tx, userId);
    await recordAudit(tx, { action: 'account.factors-reset', objectId: userId, userId });
  });
}
