import { DAY_MS } from '@/lib/core/units';
import { recordAudit } from '@/lib/domain/audit';
import { deleteFiles } from '@/lib/domain/backup';
import { type TeamContext, type WorkerContext, transact } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { logoKey, logoPrefix } from '@/lib/core/storage-keys';
import {
  createPictureToken,
  readPictureToken,
  uploaderOf,
  type PictureClaims,
} from '@/lib/infra/picture-token';
import type { Secrets } from '@/lib/infra/secrets';

const purpose = 'logo upload';

/** Creates an upload URL for one logo of this team, valid for ten minutes. */
export function requestLogoUpload({ actor, clock, secrets, settings }: TeamContext): { url: string } {
  const token = createPictureToken(
    secrets,
    purpose,
    { ownerId: actor.teamId, ...uploaderOf(actor) },
    clock.now(),
  );
  return { url: `${settings.uploadUrl}/api/asset/upload/logo?token=${token}` };
}

/**
 * The claims of a valid, unexpired token; null for any other text.
 * @param now Unix milliseconds
 */
export const readLogoToken = (secrets: Secrets, token: string, now: number): PictureClaims | null =>
  readPictureToken(secrets, purpose, token, now);

/**
 * Sets the logo to a file that is already stored.
 * @param file name of the file, without the prefix of logos
 * @returns file of the previous logo, which is no longer needed
 * @throws AppError `forbidden` if the team was suspended or deleted since
 */
export async function setLogo(ctx: TeamContext, file: string): Promise<string | null> {
  const { teamId } = ctx.actor;
  return transact(ctx, async (tx) => {
    const where = { id: teamId, suspended: false, deletedAt: null };
    const previousTeam = await tx.db.team.findFirst({ where, select: { brandLogo: true } });
    if (!previousTeam) throw new AppError('forbidden', 'the team is suspended');
    await tx.db.team.update({ where: { id: teamId }, data: { brandLogo: file } });
    await recordAudit(tx, { action: 'brand.logo-uploaded', objectId: teamId });
    return previousTeam.brandLogo;
  });
}

/** Removes the logo from the pages; `deleteOrphanedLogos` deletes its file. */
export async function deleteLogo(ctx: TeamContext): Promise<void> {
  const { teamId } = ctx.actor;
  await transact(ctx, async (tx) => {
    const where = { id: teamId, brandLogo: { not: null } };
    const { count } = await tx.db.team.updateMany({ where, data: { brandLogo: null } });
    if (count > 0) await recordAudit(tx, { action: 'brand.logo-deleted', objectId: teamId });
  });
}

const BATCH_SIZE = 100;

/** Deletes the logos of deleted teams, before the rows of the teams are deleted. */
export async function deleteLogosOfDeletedTeams(ctx: WorkerContext): Promise<void> {
  const { db } = ctx;
  const where = { deletedAt: { not: null }, brandLogo: { not: null } };
  const teams = await db.team.findMany({ where, select: { id: true, brandLogo: true }, take: BATCH_SIZE });
  for (const { id, brandLogo } of teams) {
    if (brandLogo !== null && !(await deleteFiles(ctx, logoKey(brandLogo)))) return;
    await db.team.updateMany({ where: { id, brandLogo }, data: { brandLogo: null } });
  }
}

/**
 * Deletes logos that no team uses, if they are older than a day: a younger file may belong to an upload in progress.
 * @returns their number
 */
export async function deleteOrphanedLogos(ctx: WorkerContext): Promise<number> {
  const { db, storage, clock } = ctx;
  const cutoffMs = clock.now().getTime() - DAY_MS;
  let deletedCount = 0;
  for await (const { key, modifiedAt } of storage.list(logoPrefix)) {
    const file = key.slice(logoPrefix.length);
    if (modifiedAt.getTime() >= cutoffMs || (await db.team.count({ where: { brandLogo: file } })) > 0)
      continue;
    if (await deleteFiles(ctx, key)) deletedCount++;
  }
  return deletedCount;
}
