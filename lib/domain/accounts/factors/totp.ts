import { MINUTE_MS } from '@/lib/core/units';
import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type AccountContext, type Context } from '@/lib/domain/context';
import {
  findAcceptedStep,
  hasSecondFactor,
  readTypedCode,
  TOTP_STEP_SECONDS,
} from '@/lib/core/accounts/sign-in-steps';
import { AppError } from '@/lib/core/errors';
import { confirmPassword } from '@/lib/domain/accounts/authenticate-password';
import { deleteUnusedRecoveryCodes, lockAndEndSessions, readFactors } from './factors';
import { replaceRecoveryCodes, consumeRecoveryCode } from './recovery-codes';

/** Time to scan the QR code and enter the first code. */
const SETUP_LIFETIME_MS = 15 * MINUTE_MS;
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;

const setupSchema = z.object({ secret: z.string(), expiresAt: z.number() });
const setupContext = (userId: string) => ({ kind: 'totp-setup', id: userId, teamId: userId }) as const;
const secretContext = (userId: string) => ({ kind: 'totp-secret', id: userId, teamId: userId }) as const;

/** Authenticator apps reliably support only SHA-1, 6 digits and 30 seconds (RFC 6238). */
const createTotp = (secret: string, labels: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...labels, secret: Secret.fromBase32(secret), digits: 6, period: TOTP_STEP_SECONDS });

/**
 * Creates a secret for an authenticator app. Nothing is stored until a code confirms it together with `setupToken`.
 * @throws AppError `forbidden` for a wrong password, `conflict` if the account has an app
 */
export async function startTotp(
  ctx: AccountContext,
  { password }: { readonly password: string },
): Promise<{ secret: string; uri: string; setupToken: string }> {
  const { userId } = ctx.actor;
  await confirmPassword(ctx, password, 'password');
  const account = await ctx.db.account.findUniqueOrThrow({
    where: { id: userId },
    select: { email: true, totp: { select: { userId: true } } },
  });
  if (account.totp) throw alreadySetUpError();
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  const setup = { secret, expiresAt: ctx.clock.now().getTime() + SETUP_LIFETIME_MS };
  const issuer = `Headwater ${new URL(ctx.settings.baseUrl).host}`;
  return {
    secret,
    uri: createTotp(secret, { issuer: issuer.replaceAll(':', ' '), label: account.email }).toString(),
    setupToken: ctx.secrets.seal(setupContext(userId), JSON.stringify(setup)).toString('base64url'),
  };
}

const alreadySetUpError = () =>
  new AppError('conflict', 'this account has an authenticator app: switch it off first');
const wrongCodeError = () =>
  new AppError('forbidden', {
    field: 'code',
    message: 'is wrong or was used before. Wait for the next code and enter that one.',
  });

/**
 * The secret in a setup token.
 * @throws AppError `invalid` for an expired or forged token, or the token of another account
 */
function openSetupToken(ctx: AccountContext, token: string): string {
  const expiredError = new AppError('invalid', {
    field: 'setupToken',
    message: 'has expired. Start the setup again.',
  });
  try {
    const text = ctx.secrets.open(setupContext(ctx.actor.userId), Buffer.from(token, 'base64url'));
    const { secret, expiresAt } = setupSchema.parse(JSON.parse(text));
    if (expiresAt > ctx.clock.now().getTime()) return secret;
  } catch {
    throw expiredError;
  }
  throw expiredError;
}

/**
 * Enables the authenticator app with its first code and ends every sign-in session; the endpoint then renews the caller's.
 * @returns recovery codes if the account had no second factor before; otherwise null
 * @throws AppError `forbidden` for a wrong code, `invalid` for an expired setup, `conflict` if the account has an app
 */
export async function confirmTotp(
  ctx: AccountContext,
  { setupToken, code }: { readonly setupToken: string; readonly code: string },
): Promise<{ recoveryCodes: string[] | null }> {
  const { userId } = ctx.actor;
  const secret = openSetupToken(ctx, setupToken);
  // No code of the new secret was used before, so every step is later than the last one.
  const lastStep = findTimeStep(ctx, { secret, code, lastStep: 0 });
  if (lastStep === null) throw wrongCodeError();
  return transact(ctx, async (tx) => {
    await lockAndEndSessions(tx, userId);
    const hadNoFactor = !hasSecondFactor(await readFactors(tx, userId));
    const secretSealed = ctx.secrets.seal(secretContext(userId), secret);
    const { count } = await tx.db.totpFactor.createMany({
      data: [{ userId, secretSealed, lastStep, createdAt: ctx.clock.now() }],
      skipDuplicates: true,
    });
    if (count === 0) throw alreadySetUpError();
    await recordAudit(tx, { action: 'account.totp-added', objectId: userId, userId });
    return { recoveryCodes: hadNoFactor ? await replaceRecoveryCodes(tx, userId) : null };
  });
}

/**
 * Finds the time step of a code: the number of the 30-second period that it is valid for.
 * @param code text that the user typed
 * @returns null if the code is wrong or not later than `lastStep`
 */
function findTimeStep(
  { clock }: Context,
  { secret, code, lastStep }: { readonly secret: string; readonly code: string; readonly lastStep: number },
): number | null {
  const typedCode = readTypedCode(code);
  if (typedCode?.kind !== 'code') return null;
  const nowMs = clock.now().getTime();
  // The codes of the previous and the next step are accepted too, because clocks differ.
  const delta = createTotp(secret).validate({ token: typedCode.value, timestamp: nowMs, window: 1 });
  return findAcceptedStep({ nowMs, delta, lastStep });
}

/** Marks a code of the app as used. Of concurrent attempts with the same code, one succeeds. */
async function consumeTotpCode(ctx: Context, userId: string, code: string): Promise<boolean> {
  const row = await ctx.db.totpFactor.findUnique({ where: { userId } });
  if (!row) return false;
  const secret = ctx.secrets.open(secretContext(userId), row.secretSealed);
  const step = findTimeStep(ctx, { secret, code, lastStep: row.lastStep });
  if (step === null) return false;
  const { count } = await ctx.db.totpFactor.updateMany({
    where: { userId, lastStep: { lt: step } },
    data: { lastStep: step },
  });
  return count > 0;
}

/**
 * Marks a code of the app or a recovery code as used.
 * @param typedText text that the user typed
 * @returns the kind of code; null if it is wrong
 */
export async function consumeSecondFactorCode(
  ctx: Context,
  userId: string,
  typedText: string,
): Promise<'code' | 'recovery-code' | null> {
  const code = readTypedCode(typedText);
  if (!code) return null;
  const consumeCode = code.kind === 'code' ? consumeTotpCode : consumeRecoveryCode;
  return (await consumeCode(ctx, userId, code.value)) ? code.kind : null;
}

/**
 * Disables the authenticator app and ends every sign-in session; the endpoint then renews the caller's.
 * @throws AppError `forbidden` for a wrong password or code, `conflict` without an app
 */
export async function removeTotp(
  ctx: AccountContext,
  { password, code }: { readonly password: string; readonly code: string },
): Promise<void> {
  const { userId } = ctx.actor;
  await confirmPassword(ctx, password, 'password');
  await transact(ctx, async (tx) => {
    if ((await tx.db.totpFactor.count({ where: { userId } })) === 0)
      throw new AppError('conflict', 'this account has no authenticator app');
    await lockAndEndSessions(tx, userId);
    if ((await consumeSecondFactorCode(tx, userId, code)) === null) throw wrongCodeError();
    await tx.db.totpFactor.deleteMany({ where: { userId } });
    await deleteUnusedRecoveryCodes(tx, userId);
    await recordAudit(tx, { action: 'account.totp-removed', objectId: userId, userId });
  });
}
