import type { AccountContext } from '@/lib/context';
import { assetListFields, type Asset } from '@/lib/contract/asset';
import type { listAssets as endpoint } from '@/lib/contract/asset-endpoints';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { cursorAfter, parseListQuery } from '@/lib/core/list-query';
import { conditionsOf, filterConditionsOf, orderByOf } from '@/lib/core/list-where';
import type { Prisma } from '@/lib/generated/prisma/client';
import { serializeAsset } from './serialize';

const defaultOrder = 'updatedAt-true,createdAt-true';

/**
 * One page of the account's assets (specification §4.4, api-contract §2.1).
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listAssets(ctx: AccountContext, query: QueryOf<typeof endpoint>): Promise<Page<Asset>> {
  const request = parseListQuery(query, assetListFields, defaultOrder);
  const { playbackId, sourceUrl, phase, cid } = query;
  const scope: Prisma.AssetWhereInput = {
    userId: ctx.actor.userId,
    deletedAt: null,
    ...(playbackId ? { playbackId } : {}),
    ...(sourceUrl ? { sourceUrl } : {}),
    ...(phase ? { phase } : {}),
    ...(cid ? { cid } : {}),
  };
  const rows = await ctx.db.asset.findMany({
    where: { ...scope, AND: conditionsOf(request) },
    orderBy: orderByOf(request.order),
    // One more than asked for tells whether another page exists.
    take: request.limit + 1,
  });
  const page = rows.slice(0, request.limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => serializeAsset(row, ctx.settings)),
    nextCursor: last && rows.length > page.length ? cursorAfter(last, request.order) : null,
    total: request.count
      ? await ctx.db.asset.count({ where: { ...scope, AND: filterConditionsOf(request) } })
      : null,
  };
}
