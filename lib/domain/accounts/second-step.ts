import { readSignedToken, createSignedToken } from '@/lib/infra/signed-token';
import { MINUTE_MS } from '@/lib/core/units';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type Context } from '@/lib/domain/context';
import { isUuid, newId } from '@/lib/infra/ids';
import { consumeSecondFactorCode } from './factors/totp';

/** A sign-in with a correct password that waits for its second step. */
export interface PendingSignIn {
  /** Id of this sign-in. Challenges of its second step are bound to it. */
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly sessionVersion: number;
}

/** Time limit between the password and the second step. */
const PENDING_LIFETIME_MS = 10 * MINUTE_MS;

const purpose = 'pending-sign-ins';
/** Longer than any token of this service. */
const MAX_TOKEN_LENGTH = 300;

/** Issues a token that proves a correct password for ten minutes. It opens no session. */
export function createPendingSignInToken(
  ctx: Context,
  account: { readonly id: string; readonly sessionVersion: number },
): string {
  const expiresAt = ctx.clock.now().getTime() + PENDING_LIFETIME_MS;
  const claim = [newId(), account.id, account.sessionVersion, expiresAt].join('.');
  return createSignedToken(ctx.secrets, purpose, claim);
}

/** The sign-in of a token; null if the token is forged or expired, or the sessions of the account were ended since. */
export async function findPendingSignIn(ctx: Context, token: string): Promise<PendingSignIn | null> {
  const claim = readSignedToken(ctx.secrets, purpose, token.slice(0, MAX_TOKEN_LENGTH));
  if (claim === null) return null;
  const [id = '', userId = '', version = '', expiresAt = ''] = claim.split('.');
  if (!isUuid(userId) || Number(expiresAt) <= ctx.clock.now().getTime()) return null;
  const account = await ctx.db.account.findFirst({
    where: { id: userId, sessionVersion: Number(version), suspended: false },
    select: { email: true, sessionVersion: true },
  });
  return account && { id, userId, ...account };
}

/**
 * Completes a sign-in with a code of the authenticator app or a recovery code. Both outcomes are in the audit log.
 * @returns null if the code is wrong or was used before
 */
export async function completeSignIn(
  ctx: Context,
  { userId, sessionVersion }: PendingSignIn,
  code: string,
): Promise<{ id: string; email: string; sessionVersion: number } | null> {
  const account = await transact(ctx, async (tx) => {
    const account = await tx.db.account.findFirst({
      where: { id: userId, sessionVersion, suspended: false },
      select: { id: true, email: true, sessionVersion: true },
    });
    const usedCode = account && (await consumeSecondFactorCode(tx, userId, code));
    if (!usedCode) return null;
    if (usedCode === 'recovery-code')
      await recordAudit(tx, { action: 'account.recovery-code-used', objectId: userId, userId });
    await recordAudit(tx, { action: 'account.signed-in', objectId: userId, userId });
    await tx.db.account.update({ where: { id: userId }, data: { lastSeen: ctx.clock.now() } });
    return account;
  });
  if (!account) await recordAudit(ctx, { action: 'account.sign-in-refused', objectId: userId, userId });
  return account;
}
