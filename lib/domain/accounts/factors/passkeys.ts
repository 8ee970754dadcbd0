import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type AccountContext } from '@/lib/domain/context';
import type { Passkey } from '@/lib/contract/accounts/sign-in-factors';
import { hasFactor, maxPasskeys } from '@/lib/core/accounts/sign-in-steps';
import { AppError, notFound } from '@/lib/core/errors';
import { newId } from '@/lib/infra/ids';
import { confirmPassword } from '@/lib/domain/accounts/authenticate-password';
import { challengeLifeMs, newChallenge, readChallenge, takeChallenge, type Challenge } from './challenges';
import { deleteUnusedRecoveryCodes, endSessionsOf, factorsOf } from './factors';
import { replaceRecoveryCodes } from './recovery-codes';
import { algorithms, handleOf, library, relyingParty } from './relying-party';
import { serializePasskey } from './serialize-passkey';

const registrationOf = (userId: string) => ({ purpose: 'passkey-registration', boundTo: userId }) as const;
const tooMany = () =>
  new AppError('conflict', `an account can have ${maxPasskeys} passkeys: remove one first`);

/**
 * Options for creating a passkey of the caller.
 * @returns PublicKeyCredentialCreationOptionsJSON of WebAuthn
 * @throws AppError `forbidden` for a wrong password, `conflict` for too many passkeys
 */
export async function passkeyOptions(
  ctx: AccountContext,
  { password }: { readonly password: string },
): Promise<{ challenge: string }> {
  const { userId } = ctx.actor;
  await confirmPassword(ctx, password, 'password');
  const { expectedRPID } = relyingParty(ctx);
  const { email, passkeys } = await ctx.db.account.findUniqueOrThrow({
    where: { id: userId },
    select: { email: true, passkeys: { select: { credentialId: true, transports: true } } },
  });
  if (passkeys.length >= maxPasskeys) throw tooMany();
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Headwater',
    rpID: expectedRPID,
    userID: handleOf(userId),
    userName: email,
    userDisplayName: email,
    challenge: newChallenge(ctx, registrationOf(userId)),
    timeout: challengeLifeMs,
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
}

/** Verifies an answer to `passkeyOptions`. @throws AppError `invalid` */
async function verifyRegistration(ctx: AccountContext, response: RegistrationResponseJSON) {
  const { verifyRegistrationResponse } = await library();
  let challenge: Challenge | null = null;
  const result = await verifyRegistrationResponse({
    ...relyingParty(ctx),
    response,
    expectedChallenge: (text) => {
      challenge = readChallenge(ctx, registrationOf(ctx.actor.userId), text);
      return challenge !== null;
    },
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((error: unknown) => {
    ctx.log.info({ err: error }, 'passkey refused');
    return { verified: false } as const;
  });
  // The callback sets the variable, which the compiler does not track.
  const challengeData = challenge as Challenge | null;
  if (!result.verified || !challengeData) throw invalidPasskey();
  return { challenge: challengeData, credential: result.registrationInfo.credential };
}

const invalidPasskey = () =>
  new AppError('invalid', {
    field: 'response',
    message: 'this passkey could not be verified. Start again, within five minutes.',
  });

/**
 * Adds a passkey and ends every other browser session.
 * @returns recovery codes if this is the first factor of the account; otherwise null
 * @throws AppError `invalid` for a wrong, late or repeated answer, `conflict` for too many passkeys
 */
export async function addPasskey(
  ctx: AccountContext,
  { name, response }: { readonly name: string; readonly response: RegistrationResponseJSON },
): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
  const { userId } = ctx.actor;
  const { challenge, credential } = await verifyRegistration(ctx, response);
  return transact(ctx, async (tx) => {
    await endSessionsOf(tx, userId);
    if (!(await takeChallenge(tx, challenge))) throw invalidPasskey();
    const factorsBefore = await factorsOf(tx, userId);
    if (factorsBefore.passkeys >= maxPasskeys) throw tooMany();
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
    const recoveryCodes = hasFactor(factorsBefore) ? null : await replaceRecoveryCodes(tx, userId);
    return { passkey: serializePasskey(row), recoveryCodes };
  });
}

/**
 * Removes a passkey and ends every other browser session.
 * @throws AppError `not_found`, `forbidden` for a wrong password
 */
export async function removePasskey(
  ctx: AccountContext,
  id: string,
  { password }: { readonly password: string },
): Promise<void> {
  const { userId } = ctx.actor;
  const missing = notFound();
  if ((await ctx.db.passkey.count({ where: { id, userId } })) === 0) throw missing;
  await confirmPassword(ctx, password, 'password');
  await transact(ctx, async (tx) => {
    await endSessionsOf(tx, userId);
    const { count } = await tx.db.passkey.deleteMany({ where: { id, userId } });
    if (count === 0) throw missing;
    await deleteUnusedRecoveryCodes(tx, userId);
    await recordAudit(tx, { action: 'account.passkey-removed', objectId: id, userId });
  });
}
