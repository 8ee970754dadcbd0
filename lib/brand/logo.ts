import { createHmac, timingSafeEqual } from 'node:crypto';
import { recordAudit } from '@/lib/audit';
import { deleteFiles } from '@/lib/backup';
import { type AccountContext, type WorkerContext, transact } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { logoKey, logoPrefix } from '@/lib/core/storage-keys';
import type { Secrets } from '@/lib/infra/secrets';

/** Who may upload a logo with a URL. */
interface LogoClaims {
  readonly userId: string;
  /** The API key that requested the URL; null for a browser session. */
  readonly keyId: string | null;
}

const lifetimeMs = 10 * 60_000;
const shape = /^([0-9a-f-]{36})\.([0-9a-f-]{36})?\.(\d{1,15})\.([\w-]{43})$/;

/** A URL that takes one logo of this account, for ten minutes. */
export function requestLogoUpload({ actor, clock, secrets, settings }: AccountContext): { url: string } {
  const text = `${actor.userId}.${actor.keyId ?? ''}.${clock.now().getTime() + lifetimeMs}`;
  const token = `${text}.${signatureOf(secrets, text).toString('base64url')}`;
  return { url: `${settings.uploadUrl}/api/asset/upload/logo?token=${token}` };
}

/** The claims of a valid, unexpired token; null for any other text. @param now Unix milliseconds */
export function readLogoToken(secrets: Secrets, token: string, now: number): LogoClaims | null {
  const [, userId, keyId, exp, signature] = shape.exec(token) ?? [];
  if (userId === undefined || exp === undefined || signature === undefined) return null;
  const wanted = signatureOf(secrets, `${userId}.${keyId ?? ''}.${exp}`);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  return now < Number(exp) ? { userId, keyId: keyId ?? null } : null;
}

function signatureOf(secrets: Secrets, text: string): Buffer {
  return createHmac('sha256', secrets.derive('logo upload')).update(text).digest();
}

/**
 * Names the stored file of a new logo. @returns the file of the logo before, which is no longer needed @throws AppError
 * `forbidden` for an account that was suspended or deleted meanwhile
 */
export async function setLogo(ctx: AccountContext, file: string): Promise<string | null> {
  const { userId } = ctx.actor;
  return transact(ctx, async (tx) => {
    const where = { id: userId, suspended: false, deletedAt: null };
    const before = await tx.db.account.findFirst({ where, select: { brandLogo: true } });
    if (!before) throw new AppError('forbidden', 'the account is suspended');
    await tx.db.account.update({ where: { id: userId }, data: { brandLogo: file } });
    await recordAudit(tx, { action: 'brand.logo-uploaded', objectId: userId });
    return before.brandLogo;
  });
}

/** Pages no longer show the logo; `removeOrphanedLogos` removes its file. */
export async function deleteLogo(ctx: AccountContext): Promise<void> {
  const { userId } = ctx.actor;
  await transact(ctx, async (tx) => {
    const where = { id: userId, brandLogo: { not: null } };
    const { count } = await tx.db.account.updateMany({ where, data: { brandLogo: null } });
    if (count > 0) await recordAudit(tx, { action: 'brand.logo-deleted', objectId: userId });
  });
}

const batch = 100;

/** Their rows are deleted once no files of them are left. */
export async function removeLogosOfDeletedAccounts(ctx: WorkerContext): Promise<void> {
  const { db } = ctx;
  const where = { deletedAt: { not: null }, brandLogo: { not: null } };
  const accounts = await db.account.findMany({ where, select: { id: true, brandLogo: true }, take: batch });
  for (const { id, brandLogo } of accounts) {
    if (brandLogo !== null && !(await deleteFiles(ctx, logoKey(brandLogo)))) return;
    await db.account.updateMany({ where: { id, brandLogo }, data: { brandLogo: null } });
  }
}

const dayMs = 24 * 3_600_000;

/** Removes logos that no account has; what is younger than a day may just be uploaded. @returns how many */
export async function removeOrphanedLogos(ctx: WorkerContext): Promise<number> {
  const { db, storage, clock } = ctx;
  const before = clock.now().getTime() - dayMs;
  let removed = 0;
  for await (const { key, modifiedAt } of storage.list(logoPrefix)) {
    const file = key.slice(logoPrefix.length);
    if (modifiedAt.getTime() >= before || (await db.account.count({ where: { brandLogo: file } })) > 0)
      continue;
    if (await deleteFiles(ctx, key)) removed++;
  }
  return removed;
}
