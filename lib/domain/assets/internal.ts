import type { TeamContext } from '@/lib/domain/context';
import { isReadyAsset } from '@/lib/core/assets/asset-state';
import { AppError, notFound } from '@/lib/core/errors';
import type { Asset } from '@/lib/generated/prisma/client';

/** Excludes rows that hold a future or previous file of an asset (lib/domain/assets/processing/replace-asset.ts). */
export const withoutReplacements = { replacesId: null } as const;

/** Id in the storage keys of an asset's files; the id of the asset until its file is replaced. */
export const filesIdOf = ({ id, filesId }: Pick<Asset, 'id' | 'filesId'>): string => filesId ?? id;

/** Prisma `where` object for the row whose files have this id in their storage keys. */
export const havingFiles = (filesId: string) => ({ OR: [{ filesId }, { id: filesId, filesId: null }] });

/**
 * An asset of the team.
 * @throws AppError `not_found` for a missing or deleted asset, or one of another team
 */
export async function requireAsset(ctx: TeamContext, id: string): Promise<Asset> {
  const asset = await ctx.db.asset.findFirst({
    where: { id, teamId: ctx.actor.teamId, deletedAt: null, ...withoutReplacements },
  });
  if (!asset) throw notFound();
  return asset;
}

/**
 * A ready asset of the team, for a task that needs its file.
 * @param purpose past participle for the error message, for example "exported"
 * @throws AppError `not_found`, `precondition_failed`
 */
export async function requireReadyAsset(ctx: TeamContext, id: string, purpose: string): Promise<Asset> {
  const asset = await requireAsset(ctx, id);
  if (!isReadyAsset(asset.phase)) {
    const message = `asset is not ready to be ${purpose}: its phase is ${asset.phase}`;
    throw new AppError('precondition_failed', message);
  }
  return asset;
}
