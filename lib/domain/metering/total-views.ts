import type { TeamContext } from '@/lib/domain/context';
import type { TotalViews } from '@/lib/contract/accounts/total-views';
import { notFound } from '@/lib/core/errors';
import { minutesOf } from './read-usage';

/** Views and watch time of a stream or an asset of the team. @throws AppError `not_found` */
export async function getTotalViews({ db, actor }: TeamContext, playbackId: string): Promise<TotalViews> {
  const where = { playbackId, teamId: actor.teamId, deletedAt: null };
  const asset = await db.asset.findFirst({
    where: { ...where, replacesId: null },
    select: { views: true, deliveredMinutes: true },
  });
  if (asset) {
    const { views, deliveredMinutes } = asset;
    return { playbackId, viewCount: views, playtimeMins: minutesOf(deliveredMinutes * 60) };
  }
  const stream = await db.stream.findFirst({
    where: { ...where, parentId: null },
    select: { id: true, views: true },
  });
  if (!stream) throw notFound();
  const { _sum: sum } = await db.deliveredDay.aggregate({
    where: { teamId: actor.teamId, objectId: stream.id },
    _sum: { seconds: true },
  });
  return { playbackId, viewCount: stream.views, playtimeMins: minutesOf(sum.seconds ?? 0) };
}
