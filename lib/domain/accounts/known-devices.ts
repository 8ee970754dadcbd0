import type { Context } from '@/lib/domain/context';
import { newId } from '@/lib/infra/ids';
import { readSignedToken, createSignedToken } from '@/lib/infra/signed-token';

/** A browser in which the account signed in, or set a new password with a link. */
export interface KnownDevice {
  readonly deviceId: string;
  readonly userId: string;
  readonly proof: DeviceProof;
}

/**
 * Steps that the browser completed: `sign-in` is a complete sign-in, `link` is a password reset, which skips the second
 * step.
 */
type DeviceProof = 'sign-in' | 'link';

const uuidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Account id, device id and signature. */
const tokenPattern = new RegExp(`^(${uuidPattern})\\.(${uuidPattern})\\.[\\w-]{43}$`);

interface Account {
  readonly id: string;
  readonly passwordHash: string;
}

/**
 * Issues a token for a browser that completed a sign-in or password reset. The token grants a separate sign-in limit,
 * nothing else. A password change invalidates it, because the password hash is part of the signed data.
 */
export async function rememberDevice(
  ctx: Context,
  {
    userId,
    deviceId = newId(),
    proof = 'sign-in',
  }: { readonly userId: string; readonly deviceId?: string | undefined; readonly proof?: DeviceProof },
): Promise<string> {
  const account = await ctx.db.account.findUniqueOrThrow({ where: { id: userId }, select: accountColumns });
  const contentOf = signedContent(account, deviceId, proof);
  return createSignedToken(ctx.secrets, purpose, `${userId}.${deviceId}`, { contentOf });
}

/**
 * The device of the token that belongs to the account with this email address; null if there is none, or the token is
 * forged or older than the current password.
 */
export async function findKnownDevice(
  ctx: Context,
  { email, tokens }: { readonly email: string; readonly tokens: readonly string[] },
): Promise<KnownDevice | null> {
  const deviceTokens = tokens.flatMap((token) => parseToken(token) ?? []);
  // PostgreSQL rejects a statement with a NUL character in a text.
  if (deviceTokens.length === 0 || email.includes('\0')) return null;
  const account = await ctx.db.account.findUnique({ where: { email }, select: accountColumns });
  const ownToken = account && deviceTokens.find(({ userId }) => userId === account.id);
  if (!ownToken) return null;
  const { deviceId, userId, token } = ownToken;
  const proof = proofs.find(
    (knownProof) =>
      readSignedToken(ctx.secrets, purpose, token, {
        contentOf: signedContent(account, deviceId, knownProof),
      }) !== null,
  );
  return proof ? { deviceId, userId, proof } : null;
}

const proofs: readonly DeviceProof[] = ['sign-in', 'link'];
const accountColumns = { id: true, passwordHash: true } as const;

/** Reads the claims of a token. Does not check the signature. */
function parseToken(token: string): { userId: string; deviceId: string; token: string } | null {
  const [, userId, deviceId] = tokenPattern.exec(token) ?? [];
  return userId === undefined || deviceId === undefined ? null : { userId, deviceId, token };
}

const purpose = 'known-devices';

/** The signed data. Only the proof `link` is part of it, so tokens without a proof, from older versions, are sign-ins. */
const signedContent =
  ({ id, passwordHash }: Account, deviceId: string, proof: DeviceProof) =>
  (): string =>
    `${id}\0${deviceId}\0${passwordHash}${proof === 'sign-in' ? '' : `\0${proof}`}`;
