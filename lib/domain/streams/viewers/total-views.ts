import type { Context } from '@/lib/domain/context';
import type { TotalViews } from '@/lib/contract/accounts/total-views';
import { isRestricted } from '@/lib/core/access/playback-policy';
import { AppError, notFound } from '@/lib/core/errors';
import { toMinutes } from '@/lib/domain/metering';
import { findPlayback } from './find-playback';

/**
 * Views and watch time of a stream or an asset: of the caller's team, or with a public playback.
 * @throws AppError `not_found`; without a team `unauthenticated`, whether the content is restricted or does not exist
 */
export async function getTotalViews(ctx: Context, playbackId: string): Promise<TotalViews> {
  const { actor } = ctx;
  const teamId = 'teamId' in actor ? actor.teamId : null;
  const ownViews = teamId === null ? null : await readTotals(ctx, { playbackId, teamId });
  const totalViews =
    ownViews ?? ((await isPublic(ctx, playbackId)) ? await readTotals(ctx, { playbackId }) : null);
  if (totalViews) return totalViews;
  if (teamId !== null) throw notFound();
  throw new AppError(
    'unauthenticated',
    'request is not authenticated: without an API key, only the views of public content can be read',
  );
}

/** Whether anyone may watch. This reveals no more than the playback info does. */
async function isPublic(ctx: Context, playbackId: string): Promise<boolean> {
  try {
    const { meta } = await findPlayback(ctx, playbackId);
    return !meta.playbackPolicy || !isRestricted(meta.playbackPolicy);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}

async function readTotals(
  { db }: Context,
  filter: { readonly playbackId: string; readonly teamId?: string },
): Promise<TotalViews | null> {
  const { playbackId } = filter;
  const where = { ...filter, deletedAt: null };
  const asset = await db.asset.findFirst({
    where: { ...where, replacesId: null },
    select: { views: true, deliveredMinutes: true },
  });
  if (asset) {
    const { views, deliveredMinutes } = asset;
    return { playbackId, viewCount: views, playtimeMins: toMinutes(deliveredMinutes * 60) };
  }
  const stream = await db.stream.findFirst({
    where: { ...where, parentId: null },
    select: { id: true, teamId: true, views: true },
  });
  if (!stream) return null;
  const { _sum: sum } = await db.deliveredDay.aggregate({
    where: { teamId: stream.teamId, objectId: stream.id },
    _sum: { seconds: true },
  });
  return { playbackId, viewCount: stream.views, playtimeMins: toMinutes(sum.seconds ?? 0) };
}
