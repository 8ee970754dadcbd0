import { notFound } from '@/lib/core/errors';
import { PreviewTokens } from '@/lib/domain/access';
import type { AccountContext, TeamContext } from '@/lib/domain/context';
import type { Preview } from '@/lib/contract/access/preview';
import type { Asset } from '@/lib/contract/assets/asset';
import { assetListFields } from '@/lib/contract/assets/asset-list';
import type { listAssets as listAssetsEndpoint } from '@/lib/contract/assets/asset-endpoints';
import type { listStreamClips } from '@/lib/contract/assets/clip';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { assetMachine } from '@/lib/core/assets/asset-state';
import { cleanUrl } from '@/lib/core/read-url';
import { escapeLike, readPage } from '@/lib/core/lists/list-page';
import { parseListQuery } from '@/lib/core/lists/list-query';
import { Prisma } from '@/lib/generated/prisma/client';
import { requireAsset, withoutReplacements } from './internal';
import { restorableSince } from './delete-bytes';
import { serializeAsset, serializeDeletedAsset } from './serialize';
import { importedFrom } from './source-url';

/** @throws AppError `not_found` */
export async function getAsset(ctx: TeamContext, id: string): Promise<Asset> {
  return serializeAsset(await requireAsset(ctx, id), ctx.settings);
}

/**
 * A token for playback of a team's asset in the dashboard.
 * @throws AppError `not_found`
 */
export async function getAssetPreview(ctx: AccountContext, id: string): Promise<Preview> {
  const { playbackId } = await requireAsset(ctx, id);
  return { token: new PreviewTokens(ctx).issue(playbackId, ctx.actor.userId) };
}

/** Last changed first, in the syntax of the query parameter `order`. */
const lastChangedFirst = 'updatedAt-true,createdAt-true';

/**
 * One page of the team's assets.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listAssets(
  ctx: TeamContext,
  query: QueryOf<typeof listAssetsEndpoint>,
): Promise<Page<Asset>> {
  const request = parseListQuery(query, assetListFields, lastChangedFirst);
  const { playbackId, sourceUrl, phase, cid, tag, policy, search, deleted } = query;
  const scope: Prisma.AssetWhereInput = {
    teamId: ctx.actor.teamId,
    ...withoutReplacements,
    ...(deleted
      ? { deletedAt: { gt: restorableSince(ctx.clock.now()) }, bytesRemovedAt: null }
      : { deletedAt: null }),
    ...(playbackId ? { playbackId } : {}),
    AND: [
      sourceUrl ? importedFrom(ctx, cleanUrl(sourceUrl)) : {},
      policy ? policyFilter(policy) : {},
      search?.trim() ? await createSearchFilter(ctx, search.trim()) : {},
    ],
    // An unknown phase matches no asset. PostgreSQL would reject it, because the column is an enum.
    ...(phase ? { phase: { in: assetMachine.states.filter((phaseName) => phaseName === phase) } } : {}),
    ...(cid ? { cid } : {}),
    ...(tag ? { tags: { has: tag.toLowerCase() } } : {}),
  };
  return readAssetPage(ctx, request, scope, deleted ? serializeDeletedAsset : serializeAsset);
}

/**
 * One page of the clips of a stream or of one of its sessions.
 * @throws AppError `not_found` for a missing stream, or one of another team; `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listClips(
  ctx: TeamContext,
  source: { readonly streamId: string } | { readonly sessionId: string },
  query: QueryOf<typeof listStreamClips>,
): Promise<Page<Asset>> {
  const request = parseListQuery(query, assetListFields, 'createdAt-true');
  const { teamId } = ctx.actor;
  const clipSource =
    'streamId' in source
      ? await ctx.db.stream.findFirst({
          where: { id: source.streamId, teamId, parentId: null, deletedAt: null },
          select: { playbackId: true },
        })
      : await ctx.db.session.findFirst({ where: { id: source.sessionId, teamId }, select: { id: true } });
  if (!clipSource) throw notFound();
  const clipFilter =
    'playbackId' in clipSource ? { clipPlaybackId: clipSource.playbackId } : { clipSessionId: clipSource.id };
  return readAssetPage(ctx, request, { teamId, deletedAt: null, ...clipFilter }, serializeAsset);
}

function readAssetPage(
  ctx: TeamContext,
  request: ReturnType<typeof parseListQuery>,
  scope: Prisma.AssetWhereInput,
  serializeRow: typeof serializeAsset,
): Promise<Page<Asset>> {
  return readPage(request, {
    findRows: ({ conditions, orderBy, take }) =>
      ctx.db.asset.findMany({ where: { AND: [scope, ...conditions] }, orderBy, take }),
    countRows: (conditions) => ctx.db.asset.count({ where: { AND: [scope, ...conditions] } }),
    toItem: (row) => serializeRow(row, ctx.settings),
  });
}

/** Prisma `where` object for assets with a policy of this type. Assets without a policy are public. */
function policyFilter(type: string): Prisma.AssetWhereInput {
  const ofType = { playbackPolicy: { path: ['type'], equals: type } };
  return type === 'public' ? { OR: [ofType, { playbackPolicy: { equals: Prisma.DbNull } }] } : ofType;
}

/** Maximum number of tags that a search matches. */
const MAX_MATCHING_TAGS = 100;

/** Prisma `where` object for assets with this text in their name or tags. */
async function createSearchFilter(
  { db, actor }: TeamContext,
  search: string,
): Promise<Prisma.AssetWhereInput> {
  const pattern = escapeLike(search);
  const tagRows = await db.$queryRaw<{ tag: string }[]>`
    select distinct tag from "Asset", unnest("tags") as tag
    where "teamId" = ${actor.teamId}::uuid and tag like ${`%${pattern.toLowerCase()}%`} limit ${MAX_MATCHING_TAGS}`;
  const tags = tagRows.map(({ tag }) => tag);
  return {
    OR: [
      { name: { contains: pattern, mode: 'insensitive' } },
      ...(tags.length > 0 ? [{ tags: { hasSome: tags } }] : []),
    ],
  };
}
