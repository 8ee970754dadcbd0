import type { TeamContext } from '@/lib/context';
import { type Asset, assetListFields } from '@/lib/contract/assets/asset';
import type { listAssets as endpoint } from '@/lib/contract/assets/asset-endpoints';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { assetPhases } from '@/lib/core/assets/asset-state';
import { readPage } from '@/lib/core/lists/list-page';
import { parseListQuery } from '@/lib/core/lists/list-query';
import type { Prisma } from '@/lib/generated/prisma/client';
import { assetOf } from './internal';
import { restorableSince } from './remove-bytes';
import { serializeAsset, serializeDeletedAsset } from './serialize';
import { importedFrom } from './source-url';

/** @throws AppError `not_found` */
export async function getAsset(ctx: TeamContext, id: string): Promise<Asset> {
  return serializeAsset(await assetOf(ctx, id), ctx.settings);
}

const defaultOrder = 'updatedAt-true,createdAt-true';

/**
 * One page of the account's assets.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listAssets(ctx: TeamContext, query: QueryOf<typeof endpoint>): Promise<Page<Asset>> {
  const request = parseListQuery(query, assetListFields, defaultOrder);
  const { playbackId, sourceUrl, phase, cid, deleted } = query;
  const scope: Prisma.AssetWhereInput = {
    teamId: ctx.actor.teamId,
    ...(deleted
      ? { deletedAt: { gt: restorableSince(ctx.clock.now()) }, bytesRemovedAt: null }
      : { deletedAt: null }),
    ...(playbackId ? { playbackId } : {}),
    ...(sourceUrl ? importedFrom(ctx, sourceUrl) : {}),
    ...(phase ? { phase: { in: assetPhases.filter((known) => known === phase) } } : {}),
    ...(cid ? { cid } : {}),
  };
  return readPage(request, {
    rows: ({ conditions, orderBy, take }) =>
      ctx.db.asset.findMany({ where: { ...scope, AND: conditions }, orderBy, take }),
    count: (conditions) => ctx.db.asset.count({ where: { ...scope, AND: conditions } }),
    item: (row) => (deleted ? serializeDeletedAsset(row, ctx.settings) : serializeAsset(row, ctx.settings)),
  });
}
