import { recordAudit } from '@/lib/domain/audit';
import { transact, type Context } from '@/lib/domain/context';
import type { PasskeyAssertion } from '@/lib/contract/accounts/sign-in-factors';
import { counterDidNotRise } from '@/lib/core/accounts/sign-in-steps';
import type { Passkey as PasskeyRow } from '@/lib/generated/prisma/client';
import {
  CHALLENGE_LIFETIME_MS,
  createChallenge,
  readChallenge,
  consumeChallenge,
  type Challenge,
} from './challenges';
import { userHandleOf, loadWebAuthn, requireRelyingParty } from './relying-party';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Sign-in that a challenge belongs to. */
interface PasskeySignIn {
  /** Id of the browser that requested the challenge, or of the sign-in that waits for its second step. */
  readonly boundTo: string;
  /** Id of the account whose password was correct; only in the second step. */
  readonly userId?: string;
}

const challengeUseOf = ({ boundTo, userId }: PasskeySignIn) =>
  ({ purpose: userId === undefined ? 'passkey-sign-in' : 'second-step', boundTo }) as const;

/**
 * Creates options for a sign-in with a passkey: any passkey that the browser has, or, in a second step, one of the
 * account.
 * @returns PublicKeyCredentialRequestOptionsJSON of WebAuthn
 * @throws AppError `conflict` where browsers offer no passkeys
 */
export async function createAssertionOptions(
  ctx: Context,
  use: PasskeySignIn,
): Promise<{ challenge: string }> {
  const { expectedRPID } = requireRelyingParty(ctx);
  const ownPasskeys =
    use.userId === undefined
      ? []
      : await ctx.db.passkey.findMany({
          where: { userId: use.userId },
          select: { credentialId: true, transports: true },
        });
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return generateAuthenticationOptions({
    rpID: expectedRPID,
    challenge: createChallenge(ctx, challengeUseOf(use)),
    timeout: CHALLENGE_LIFETIME_MS,
    userVerification: 'required',
    allowCredentials: ownPasskeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
}

/** The passkey that a response names, if it may answer this challenge. */
async function findPasskey(
  ctx: Context,
  { id, response }: PasskeyAssertion,
  { userId }: PasskeySignIn,
): Promise<PasskeyRow | null> {
  const row = await ctx.db.passkey.findFirst({
    where: { credentialId: id, account: { suspended: false }, ...omitUndefined({ userId }) },
  });
  // The authenticator may return the account that it stored with the passkey. It must be the account of the row.
  const { userHandle } = response;
  const isOfOtherAccount =
    row &&
    userHandle !== undefined &&
    userHandle !== Buffer.from(userHandleOf(row.userId)).toString('base64url');
  return isOfOtherAccount ? null : row;
}

/**
 * Verifies the signature of a passkey, with user verification, for a challenge of this sign-in.
 * @returns the input of `consumeAssertion`; null if any check fails
 */
async function verifyAssertion(
  ctx: Context,
  assertion: PasskeyAssertion,
  use: PasskeySignIn,
  row: PasskeyRow,
): Promise<{ challenge: Challenge; counter: number } | null> {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  let challenge: Challenge | null = null;
  const result = await verifyAuthenticationResponse({
    ...requireRelyingParty(ctx),
    response: assertion,
    expectedChallenge: (text) => {
      challenge = readChallenge(ctx, challengeUseOf(use), text);
      return challenge !== null;
    },
    requireUserVerification: true,
    // The counter -1 is lower than every counter: `consumeAssertion` compares it later, with the locked row.
    credential: { id: row.credentialId, publicKey: Uint8Array.from(row.publicKey), counter: -1 },
  }).catch((error: unknown) => {
    ctx.log.info({ err: error }, 'passkey rejected');
    return null;
  });
  // The callback sets the variable, which the compiler does not track.
  const verifiedChallenge = challenge as Challenge | null;
  if (!result?.verified || !verifiedChallenge) return null;
  return { challenge: verifiedChallenge, counter: result.authenticationInfo.newCounter };
}

/**
 * Marks a verified assertion as used.
 * @returns false if it was used before, or the counter of the authenticator went back
 */
async function consumeAssertion(
  ctx: Context,
  { challenge, counter }: { readonly challenge: Challenge; readonly counter: number },
  { id }: PasskeyRow,
): Promise<boolean> {
  if (!(await consumeChallenge(ctx, challenge))) return false;
  const data = { counter: BigInt(counter), lastUsedAt: ctx.clock.now() };
  // The row is locked, so that two assertions with the same counter cannot both succeed.
  const [row] = await ctx.db.$queryRaw<{ counter: bigint }[]>`
    select "counter" from "Passkey" where "id" = ${id}::uuid for update`;
  if (!row) return false;
  if (counterDidNotRise(Number(row.counter), counter)) {
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
  use: PasskeySignIn,
): Promise<{ id: string; email: string; sessionVersion: number } | null> {
  const passkey = await findPasskey(ctx, assertion, use);
  if (!passkey) return null;
  const { userId } = passkey;
  const verification = await verifyAssertion(ctx, assertion, use, passkey);
  const account =
    verification &&
    (await transact(ctx, async (tx) => {
      if (!(await consumeAssertion(tx, verification, passkey))) return null;
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
