import { DAY_MS } from '@/lib/core/units';
import { recordAudit } from '@/lib/domain/audit';
import { deleteFiles } from '@/lib/domain/backup';
import { type InTransaction, type TeamContext, type WorkerContext, transact } from '@/lib/domain/context';
import { AppError, notFound } from '@/lib/core/errors';
import { posterKey, posterPrefix } from '@/lib/core/storage-keys';
import {
  createPictureToken,
  readPictureToken,
  uploaderOf,
  type PictureClaims,
} from '@/lib/infra/picture-token';
import type { Secrets } from '@/lib/infra/secrets';
import { requireAsset, withoutReplacements } from './internal';
import { emitAssetEvent } from './serialize';

const purpose = 'asset poster upload';

/**
 * Creates an upload URL for one poster of this asset, valid for ten minutes.
 * @throws AppError `not_found`
 */
export async function requestAssetPosterUpload(ctx: TeamContext, id: string): Promise<{ url: string }> {
  const { actor, clock, secrets, settings } = ctx;
  await requireAsset(ctx, id);
  const token = createPictureToken(secrets, purpose, { ownerId: id, ...uploaderOf(actor) }, clock.now());
  return { url: `${settings.uploadUrl}/api/asset/upload/poster?token=${token}` };
}

/**
 * The claims of a valid, unexpired token; null for any other text.
 * @param now Unix milliseconds
 */
export const readAssetPosterToken = (secrets: Secrets, token: string, now: number): PictureClaims | null =>
  readPictureToken(secrets, purpose, token, now);

/**
 * Sets the poster to a file that is already stored.
 * @param file name of the file, without the prefix of posters
 * @returns key of the previous poster, which is no longer needed
 * @throws AppError `not_found`, `forbidden` if the team was suspended or deleted since
 */
export async function setAssetPoster(
  ctx: TeamContext,
  { id, file }: { readonly id: string; readonly file: string },
): Promise<string | null> {
  return transact(ctx, async (tx) => {
    const where = { id: ctx.actor.teamId, suspended: false, deletedAt: null };
    if ((await tx.db.team.count({ where })) === 0) throw new AppError('forbidden', 'the team is suspended');
    const { posterKey: previousKey } = await requireAsset(tx, id);
    await writePoster(tx, id, posterKey(file));
    await recordAudit(tx, { action: 'asset.poster-uploaded', objectId: id });
    return previousKey;
  });
}

/**
 * Resets the poster to a frame of the video; `deleteOrphanedPosters` deletes the file.
 * @throws AppError `not_found`
 */
export async function deleteAssetPoster(ctx: TeamContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    if ((await requireAsset(tx, id)).posterKey === null) return;
    await writePoster(tx, id, null);
    await recordAudit(tx, { action: 'asset.poster-deleted', objectId: id });
  });
}

async function writePoster(tx: InTransaction<TeamContext>, id: string, key: string | null): Promise<void> {
  const where = { id, teamId: tx.actor.teamId, deletedAt: null, ...withoutReplacements };
  const [row] = await tx.db.asset.updateManyAndReturn({ where, data: { posterKey: key } });
  if (!row) throw notFound();
  await emitAssetEvent(tx, 'asset.updated', row);
}

/** Whether a stream, or an asset that exists or can be restored, uses this poster. */
export async function isPosterUsed({ db }: Pick<WorkerContext, 'db'>, key: string): Promise<boolean> {
  const assetCount = db.asset.count({ where: { posterKey: key, bytesRemovedAt: null } });
  const streamCount = db.stream.count({ where: { posterKey: key, deletedAt: null } });
  return (await assetCount) + (await streamCount) > 0;
}

/**
 * Deletes posters without a stream or asset, if they are older than a day: a younger file may belong to an upload in
 * progress.
 * @returns their number
 */
export async function deleteOrphanedPosters(ctx: WorkerContext): Promise<number> {
  const cutoffMs = ctx.clock.now().getTime() - DAY_MS;
  let deletedCount = 0;
  for await (const { key, modifiedAt } of ctx.storage.list(posterPrefix)) {
    if (modifiedAt.getTime() >= cutoffMs || (await isPosterUsed(ctx, key))) continue;
    if (await deleteFiles(ctx, key)) deletedCount++;
  }
  return deletedCount;
}
