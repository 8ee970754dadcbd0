import { recordAudit } from '@/lib/domain/audit';
import { transact, type Context } from '@/lib/domain/context';
import type { PasskeyAssertion } from '@/lib/contract/accounts/sign-in-factors';
import { counterWentBack } from '@/lib/core/accounts/sign-in-steps';
import type { Passkey as PasskeyRow } from '@/lib/generated/prisma/client';
import { challengeLifeMs, newChallenge, readChallenge, takeChallenge, type Challenge } from './challenges';
import { handleOf, library, relyingParty } from './relying-party';
import { defined } from '@/lib/core/defined';

/** Sign-in that a challenge belongs to. */
interface PasskeyUse {
  /** Id of the browser that requested the challenge, or of the sign-in that waits for its second step. */
  readonly boundTo: string;
  /** Id of the account whose password was correct; only in the second step. */
  readonly userId?: string;
}

const signInOf = ({ boundTo, userId }: PasskeyUse) =>
  ({ purpose: userId === undefined ? 'passkey-sign-in' : 'second-step', boundTo }) as const;

/**
 * Options for a sign-in with a passkey: any passkey that the browser has, or one of the account in a second step.
 * @returns PublicKeyCredentialRequestOptionsJSON of WebAuthn
 * @throws AppError `conflict` where browsers offer no passkeys
 */
export async function assertionOptions(ctx: Context, use: PasskeyUse): Promise<{ challenge: string }> {
  const { expectedRPID } = relyingParty(ctx);
  const ownPasskeys =
    use.userId === undefined
      ? []
      : await ctx.db.passkey.findMany({
          where: { userId: use.userId },
          select: { credentialId: true, transports: true },
        });
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: expectedRPID,
    challenge: newChallenge(ctx, signInOf(use)),
    timeout: challengeLifeMs,
    userVerification: 'required',
    allowCredentials: ownPasskeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
}

/** The passkey that a response names, if it may answer this challenge. */
async function findPasskey(
  ctx: Context,
  { id, response }: PasskeyAssertion,
  { userId }: PasskeyUse,
): Promise<PasskeyRow | null> {
  const row = await ctx.db.passkey.findFirst({
    where: { credentialId: id, account: { suspended: false }, ...defined({ userId }) },
  });
  const handle = response.userHandle;
  const otherAccount =
    row && handle !== undefined && handle !== Buffer.from(handleOf(row.userId)).toString('base64url');
  return otherAccount ? null : row;
}

/**
 * Verifies the signature of a passkey, with user verification, for a challenge of this use.
 * @returns the input of `takeAssertion`; null if any check fails
 */
async function verifyAssertion(
  ctx: Context,
  assertion: PasskeyAssertion,
  use: PasskeyUse,
  row: PasskeyRow,
): Promise<{ challenge: Challenge; counter: number } | null> {
  const { verifyAuthenticationResponse } = await library();
  let challenge: Challenge | null = null;
  const result = await verifyAuthenticationResponse({
    ...relyingParty(ctx),
    response: assertion,
    expectedChallenge: (text) => {
      challenge = readChallenge(ctx, signInOf(use), text);
      return challenge !== null;
    },
    requireUserVerification: true,
    // The counter is compared later by `takeAssertion`, with the locked row.
    credential: { id: row.credentialId, publicKey: Uint8Array.from(row.publicKey), counter: -1 },
  }).catch((error: unknown) => {
    ctx.log.info({ err: error }, 'passkey refused');
    return null;
  });
  const challengeData = challenge as Challenge | null;
  if (!result?.verified || !challengeData) return null;
  return { challenge: challengeData, counter: result.authenticationInfo.newCounter };
}

/** Marks a verified answer as used: once, and only if the authenticator's counter increased. */
async function takeAssertion(
  ctx: Context,
  { challenge, counter }: { readonly challenge: Challenge; readonly counter: number },
  { id }: PasskeyRow,
): Promise<boolean> {
  if (!(await takeChallenge(ctx, challenge))) return false;
  const data = { counter: BigInt(counter), lastUsedAt: ctx.clock.now() };
  // The row is locked, so that two answers with the same counter cannot both succeed.
  const [row] = await ctx.db.$queryRaw<{ counter: bigint }[]>`
    select "counter" from "Passkey" where "id" = ${id}::uuid for update`;
  if (!row) return false;
  if (counterWentBack(Number(row.counter), counter)) {
    ctx.log.warn({ passkeyId: id }, 'passkey counter decreased; the passkey may have been copied');
    return false;
  }
  await ctx.db.passkey.update({ where: { id }, data });
  return true;
}

/**
 * Signs in with a passkey: alone, or as the second step after the password of `use.userId`. The signature must be for an
 * unused challenge of this use, from this site, with user verification. Both outcomes are in the audit log of the
 * passkey's account.
 * @returns null if any check fails, and for a suspended account
 */
export async function signInWithPasskey(
  ctx: Context,
  assertion: PasskeyAssertion,
  use: PasskeyUse,
): Promise<{ id: string; email: string; sessionVersion: number } | null> {
  const passkey = await findPasskey(ctx, assertion, use);
  if (!passkey) return null;
  const { userId } = passkey;
  const verification = await verifyAssertion(ctx, assertion, use, passkey);
  const account =
    verification &&
    (await transact(ctx, async (tx) => {
      if (!(await takeAssertion(tx, verification, passkey))) return null;
      await recordAudit(tx, { action: 'account.signed-in-with-passkey', objectId: userId, userId });
      return tx.db.account.update({
        where: { id: userId },
        data: { lastSeen: ctx.clock.now() },
        select: { id: true, email: true, sessionVersion: true },
      });
    }));
  if (!account) await recordAudit(ctx, { action: 'account.sign-in-refused', objectId: userId, userId });
  return account;
}
