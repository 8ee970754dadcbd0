import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from '@/lib/context';
import { newId } from '@/lib/infra/ids';

/** A browser in which this account signed in before. */
export interface KnownDevice {
  readonly deviceId: string;
  readonly userId: string;
  readonly token: string;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const format = new RegExp(`^(${uuid})\\.(${uuid})\\.([\\w-]{43})$`);

interface Account {
  readonly id: string;
  readonly passwordHash: string;
}

/**
 * A token for a browser that just signed in with the password. It grants only a sign-in limit of its own, and it is
 * invalid after a password change, because the password hash is part of the signed data.
 */
export async function rememberDevice(ctx: Context, userId: string, deviceId = newId()): Promise<KnownDevice> {
  const account = await ctx.db.account.findUniqueOrThrow({ where: { id: userId }, select: fields });
  const token = `${userId}.${deviceId}.${signatureOf(ctx, account, deviceId).toString('base64url')}`;
  return { deviceId, userId, token };
}

/** The device this token belongs to; null if it is forged, of another account, or older than the current password. */
export async function findKnownDevice(
  ctx: Context,
  { email, tokens }: { readonly email: string; readonly tokens: readonly string[] },
): Promise<KnownDevice | null> {
  const given = tokens.flatMap((token) => readToken(token) ?? []);
  if (given.length === 0 || email.includes('\0')) return null;
  const account = await ctx.db.account.findUnique({ where: { email }, select: fields });
  const own = account && given.find(({ userId }) => userId === account.id);
  if (!own) return null;
  return timingSafeEqual(signatureOf(ctx, account, own.deviceId), own.signature) ? own : null;
}

const fields = { id: true, passwordHash: true } as const;

/** What a token claims, before its signature is checked. */
function readToken(token: string): (KnownDevice & { readonly signature: Buffer }) | null {
  const [, userId, deviceId, signature] = format.exec(token) ?? [];
  if (userId === undefined || deviceId === undefined || signature === undefined) return null;
  return { userId, deviceId, token, signature: Buffer.from(signature, 'base64url') };
}

function signatureOf({ secrets }: Context, { id, passwordHash }: Account, deviceId: string): Buffer {
  return createHmac('sha256', secrets.derive('known-devices'))
    .update(`${id}\0${deviceId}\0${passwordHash}`)
    .digest();
}
