import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type AccountContext } from '@/lib/domain/context';
import type { Passkey } from '@/lib/contract/accounts/sign-in-factors';
import { hasSecondFactor, MAX_PASSKEYS } from '@/lib/core/accounts/sign-in-steps';
import { AppError, notFound } from '@/lib/core/errors';
import { newId } from '@/lib/infra/ids';
import { confirmPassword } from '@/lib/domain/accounts/authenticate-password';
import {
  CHALLENGE_LIFETIME_MS,
  createChallenge,
  readChallenge,
  consumeChallenge,
  type Challenge,
} from './challenges';
import { deleteUnusedRecoveryCodes, lockAndEndSessions, readFactors } from './factors';
import { replaceRecoveryCodes } from './recovery-codes';
import { coseAlgorithms, userHandleOf, loadWebAuthn, requireRelyingParty } from './relying-party';
import { serializePasskey } from './serialize-passkey';

const registrationOf = (userId: string) => ({ purpose: 'passkey-registration', boundTo: userId }) as const;
const tooManyPasskeysError = () =>
  new AppError('conflict', `an account can have ${MAX_PASSKEYS} passkeys: remove one first`);

/**
 * Creates options with which the browser of the caller creates a passkey.
 * @returns PublicKeyCredentialCreationOptionsJSON of WebAuthn
 * @throws AppError `forbidden` for a wrong password, `conflict` for too many passkeys or where browsers offer no passkeys
 */
export async function createPasskeyOptions(
  ctx: AccountContext,
  { password }: { readonly password: string },
): Promise<{ challenge: string }> {
  const { userId } = ctx.actor;
  await confirmPassword(ctx, password, 'password');
  const { expectedRPID } = requireRelyingParty(ctx);
  const { email, passkeys } = await ctx.db.account.findUniqueOrThrow({
    where: { id: userId },
    select: { email: true, passkeys: { select: { credentialId: true, transports: true } } },
  });
  if (passkeys.length >= MAX_PASSKEYS) throw tooManyPasskeysError();
  const { generateRegistrationOptions } = await loadWebAuthn();
  return generateRegistrationOptions({
    rpName: 'Headwater',
    rpID: expectedRPID,
    userID: userHandleOf(userId),
    userName: email,
    userDisplayName: email,
    challenge: createChallenge(ctx, registrationOf(userId)),
    timeout: CHALLENGE_LIFETIME_MS,
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: coseAlgorithms,
  });
}

/**
 * Verifies the response to `createPasskeyOptions`.
 * @throws AppError `invalid`
 */
async function verifyRegistration(ctx: AccountContext, response: RegistrationResponseJSON) {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  let challenge: Challenge | null = null;
  const result = await verifyRegistrationResponse({
    ...requireRelyingParty(ctx),
    response,
    expectedChallenge: (text) => {
      challenge = readChallenge(ctx, registrationOf(ctx.actor.userId), text);
      return challenge !== null;
    },
    requireUserVerification: true,
    supportedAlgorithmIDs: coseAlgorithms,
  }).catch((error: unknown) => {
    ctx.log.info({ err: error }, 'passkey rejected');
    return { verified: false } as const;
  });
  // The callback sets the variable, which the compiler does not track.
  const verifiedChallenge = challenge as Challenge | null;
  if (!result.verified || !verifiedChallenge) throw invalidPasskeyError();
  return { challenge: verifiedChallenge, credential: result.registrationInfo.credential };
}

const invalidPasskeyError = () =>
  new AppError('invalid', {
    field: 'response',
    message: 'this passkey could not be verified. Start again, within five minutes.',
  });

/**
 * Adds a passkey and ends every sign-in session; the endpoint then renews the caller's.
 * @returns recovery codes if the account had no second factor before; otherwise null
 * @throws AppError `invalid` for a wrong, late or repeated response, `conflict` for too many passkeys or a known passkey
 */
export async function addPasskey(
  ctx: AccountContext,
  { name, response }: { readonly name: string; readonly response: RegistrationResponseJSON },
): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
  const { userId } = ctx.actor;
  const { challenge, credential } = await verifyRegistration(ctx, response);
  return transact(ctx, async (tx) => {
    await lockAndEndSessions(tx, userId);
    if (!(await consumeChallenge(tx, challenge))) throw invalidPasskeyError();
    const factorsBefore = await readFactors(tx, userId);
    if (factorsBefore.passkeyCount >= MAX_PASSKEYS) throw tooManyPasskeysError();
    const row = {
      id: newId(),
      userId,
      name,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: BigInt(credential.counter),
      transports: credential.transports ?? [],
      createdAt: ctx.clock.now(),
      lastUsedAt: null,
    };
    const { count } = await tx.db.passkey.createMany({ data: [row], skipDuplicates: true });
    if (count === 0)
      throw new AppError('conflict', { field: 'response', message: 'this passkey was already added' });
    await recordAudit(tx, { action: 'account.passkey-added', objectId: row.id, userId });
    const recoveryCodes = hasSecondFactor(factorsBefore) ? null : await replaceRecoveryCodes(tx, userId);
    return { passkey: serializePasskey(row), recoveryCodes };
  });
}

/**
 * Removes a passkey and ends every sign-in session; the endpoint then renews the caller's.
 * @throws AppError `not_found`, `forbidden` for a wrong password
 */
export async function removePasskey(
  ctx: AccountContext,
  id: string,
  { password }: { readonly password: string },
): Promise<void> {
  const { userId } = ctx.actor;
  const notFoundError = notFound();
  if ((await ctx.db.passkey.count({ where: { id, userId } })) === 0) throw notFoundError;
  await confirmPassword(ctx, password, 'password');
  await transact(ctx, async (tx) => {
    await lockAndEndSessions(tx, userId);
    const { count } = await tx.db.passkey.deleteMany({ where: { id, userId } });
    if (count === 0) throw notFoundError;
    await deleteUnusedRecoveryCodes(tx, userId);
    await recordAudit(tx, { action: 'account.passkey-removed', objectId: id, userId });
  });
}
