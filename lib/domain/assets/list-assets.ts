import { notFound } from '@/lib/core/errors';
import { PreviewTokens } from '@/lib/domain/access';
import type { AccountContext, TeamContext } from '@/lib/domain/context';
import type { Preview } from '@/lib/contract/access/preview';
import type { Asset } from '@/lib/contract/assets/asset';
import { assetListFields } from '@/lib/contract/assets/asset-list';
import type { listAssets as endpoint } from '@/lib/contract/assets/asset-endpoints';
import type { listStreamClips } from '@/lib/contract/assets/clip';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { assetMachine } from '@/lib/core/assets/asset-state';
import { cleanUrl } from '@/lib/core/read-url';
import { escapeLike, readPage } from '@/lib/core/lists/list-page';
import { parseListQuery } from '@/lib/core/lists/list-query';
import { Prisma } from '@/lib/generated/prisma/client';
import { assetOf, visible } from './internal';
import { restorableSince } from './delete-bytes';
import { serializeAsset, serializeDeletedAsset } from './serialize';
import { importedFrom } from './source-url';

/** @throws AppError `not_found` */
export async function getAsset(ctx: TeamContext, id: string): Promise<Asset> {
  return serializeAsset(await assetOf(ctx, id), ctx.settings);
}

/** A token for playback of a team's asset in the dashboard. @throws AppError `not_found` */
export async function getAssetPreview(ctx: AccountContext, id: string): Promise<Preview> {
  const { playbackId } = await assetOf(ctx, id);
  return { token: new PreviewTokens(ctx).issue(playbackId, ctx.actor.userId) };
}

const defaultOrder = 'updatedAt-true,createdAt-true';

/**
 * One page of the team's assets.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listAssets(ctx: TeamContext, query: QueryOf<typeof endpoint>): Promise<Page<Asset>> {
  const request = parseListQuery(query, assetListFields, defaultOrder);
  const { playbackId, sourceUrl, phase, cid, tag, policy, search, deleted } = query;
  const scope: Prisma.AssetWhereInput = {
    teamId: ctx.actor.teamId,
    ...visible,
    ...(deleted
      ? { deletedAt: { gt: restorableSince(ctx.clock.now()) }, bytesRemovedAt: null }
      : { deletedAt: null }),
    ...(playbackId ? { playbackId } : {}),
    AND: [
      sourceUrl ? importedFrom(ctx, cleanUrl(sourceUrl)) : {},
      policy ? withPolicy(policy) : {},
      search?.trim() ? await searchCondition(ctx, search.trim()) : {},
    ],
    ...(phase ? { phase: { in: assetMachine.states.filter((phaseName) => phaseName === phase) } } : {}),
    ...(cid ? { cid } : {}),
    ...(tag ? { tags: { has: tag.toLowerCase() } } : {}),
  };
  return pageOf(ctx, request, scope, deleted ? serializeDeletedAsset : serializeAsset);
}

/**
 * One page of the clips of a stream or of one of its sessions.
 * @throws AppError `not_found` for a missing or foreign stream; `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listClips(
  ctx: TeamContext,
  of: { readonly streamId: string } | { readonly sessionId: string },
  query: QueryOf<typeof listStreamClips>,
): Promise<Page<Asset>> {
  const request = parseListQuery(query, assetListFields, 'createdAt-true');
  const { teamId } = ctx.actor;
  const clipSource =
    'streamId' in of
      ? await ctx.db.stream.findFirst({
          where: { id: of.streamId, teamId, parentId: null, deletedAt: null },
          select: { playbackId: true },
        })
      : await ctx.db.session.findFirst({ where: { id: of.sessionId, teamId }, select: { id: true } });
  if (!clipSource) throw notFound();
  const from =
    'playbackId' in clipSource ? { clipPlaybackId: clipSource.playbackId } : { clipSessionId: clipSource.id };
  return pageOf(ctx, request, { teamId, deletedAt: null, ...from }, serializeAsset);
}

function pageOf(
  ctx: TeamContext,
  request: ReturnType<typeof parseListQuery>,
  scope: Prisma.AssetWhereInput,
  item: typeof serializeAsset,
): Promise<Page<Asset>> {
  return readPage(request, {
    rows: ({ conditions, orderBy, take }) =>
      ctx.db.asset.findMany({ where: { AND: [scope, ...conditions] }, orderBy, take }),
    count: (conditions) => ctx.db.asset.count({ where: { AND: [scope, ...conditions] } }),
    item: (row) => item(row, ctx.settings),
  });
}

/** Prisma `where` object for assets with a policy of this type. Assets without a policy are public. */
function withPolicy(type: string): Prisma.AssetWhereInput {
  const ofType = { playbackPolicy: { path: ['type'], equals: type } };
  return type === 'public' ? { OR: [ofType, { playbackPolicy: { equals: Prisma.DbNull } }] } : ofType;
}

/** Limit of matching tags per search. */
const maxTags = 100;

/** Prisma `where` object for assets with this text in their name or tags. */
async function searchCondition({ db, actor }: TeamContext, search: string): Promise<Prisma.AssetWhereInput> {
  const part = escapeLike(search);
  const tagRows = await db.$queryRaw<{ tag: string }[]>`
    select distinct tag from "Asset", unnest("tags") as tag
    where "teamId" = ${actor.teamId}::uuid and tag like ${`%${part.toLowerCase()}%`} limit ${maxTags}`;
  const tags = tagRows.map(({ tag }) => tag);
  return {
    OR: [
      { name: { contains: part, mode: 'insensitive' } },
      ...(tags.length > 0 ? [{ tags: { hasSome: tags } }] : []),
    ],
  };
}
