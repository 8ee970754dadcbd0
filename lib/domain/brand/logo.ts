import { dayMs } from '@/lib/core/units';
import { recordAudit } from '@/lib/domain/audit';
import { deleteFiles } from '@/lib/domain/backup';
import { type TeamContext, type WorkerContext, transact } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { logoKey, logoPrefix } from '@/lib/core/storage-keys';
import { pictureToken, readPictureToken, uploaderOf, type PictureClaims } from '@/lib/infra/picture-token';
import type { Secrets } from '@/lib/infra/secrets';

const purpose = 'logo upload';

/** A URL that takes one logo of this team, for ten minutes. */
export function requestLogoUpload({ actor, clock, secrets, settings }: TeamContext): { url: string } {
  const token = pictureToken(secrets, purpose, { of: actor.teamId, ...uploaderOf(actor) }, clock.now());
  return { url: `${settings.uploadUrl}/api/asset/upload/logo?token=${token}` };
}

/** The claims of a valid, unexpired token; null for any other text. @param now Unix milliseconds */
export const readLogoToken = (secrets: Secrets, token: string, now: number): PictureClaims | null =>
  readPictureToken(secrets, purpose, token, now);

/**
 * Names the stored file of a new logo.
 * @returns the file of the logo before, which is no longer needed
 * @throws AppError `forbidden` for a team that was suspended or deleted meanwhile
 */
export async function setLogo(ctx: TeamContext, file: string): Promise<string | null> {
  const { teamId } = ctx.actor;
  return transact(ctx, async (tx) => {
    const where = { id: teamId, suspended: false, deletedAt: null };
    const before = await tx.db.team.findFirst({ where, select: { brandLogo: true } });
    if (!before) throw new AppError('forbidden', 'the team is suspended');
    await tx.db.team.update({ where: { id: teamId }, data: { brandLogo: file } });
    await recordAudit(tx, { action: 'brand.logo-uploaded', objectId: teamId });
    return before.brandLogo;
  });
}

/** Pages no longer show the logo; `deleteOrphanedLogos` removes its file. */
export async function deleteLogo(ctx: TeamContext): Promise<void> {
  const { teamId } = ctx.actor;
  await transact(ctx, async (tx) => {
    const where = { id: teamId, brandLogo: { not: null } };
    const { count } = await tx.db.team.updateMany({ where, data: { brandLogo: null } });
    if (count > 0) await recordAudit(tx, { action: 'brand.logo-deleted', objectId: teamId });
  });
}

const batch = 100;

/** Deletes the logos of deleted teams. The rows of the teams are deleted afterwards. */
export async function deleteLogosOfDeletedTeams(ctx: WorkerContext): Promise<void> {
  const { db } = ctx;
  const where = { deletedAt: { not: null }, brandLogo: { not: null } };
  const teams = await db.team.findMany({ where, select: { id: true, brandLogo: true }, take: batch });
  for (const { id, brandLogo } of teams) {
    if (brandLogo !== null && !(await deleteFiles(ctx, logoKey(brandLogo)))) return;
    await db.team.updateMany({ where: { id, brandLogo }, data: { brandLogo: null } });
  }
}

/** Removes logos that no team has; what is younger than a day may just be uploaded. @returns how many */
export async function deleteOrphanedLogos(ctx: WorkerContext): Promise<number> {
  const { db, storage, clock } = ctx;
  const before = clock.now().getTime() - dayMs;
  let removedCount = 0;
  for await (const { key, modifiedAt } of storage.list(logoPrefix)) {
    const file = key.slice(logoPrefix.length);
    if (modifiedAt.getTime() >= before || (await db.team.count({ where: { brandLogo: file } })) > 0) continue;
    if (await deleteFiles(ctx, key)) removedCount++;
  }
  return removedCount;
}
