import type { Context } from '@/lib/context';
import type { PlaybackStatus } from '@/lib/contract/streams/playback';
import { AppError } from '@/lib/core/errors';
import { viewersNow } from './get-viewers';

const shape = /^[a-z0-9]{16}$/;

/**
 * Whether the stream with this playback id is live, since when and how many watch it, for anybody.
 * @throws AppError `not_found`, also for a suspended or deleted stream
 */
export async function getPlaybackStatus(ctx: Context, playbackId: string): Promise<PlaybackStatus> {
  const where = {
    playbackId,
    parentId: null,
    deletedAt: null,
    suspended: false,
    account: { suspended: false },
  };
  const select = { id: true, isActive: true };
  const stream = shape.test(playbackId) ? await ctx.db.stream.findFirst({ where, select }) : null;
  if (!stream) throw new AppError('not_found', `No stream found for ${playbackId.slice(0, 100)}`);
  const { id, isActive: live } = stream;
  // What ended before its first segment was never shown to viewers.
  const session = await ctx.db.session.findFirst({
    where: { parentId: id, ...(live ? {} : { sourceSegments: { gt: 0 } }) },
    orderBy: [{ listedAt: 'desc' }, { createdAt: 'desc' }],
    select: { createdAt: true, lastSeen: true },
  });
  return {
    live,
    viewers: live ? await viewersNow(ctx.db, id) : 0,
    startedAt: session?.createdAt.getTime() ?? null,
    endedAt: live ? null : ((session?.lastSeen ?? session?.createdAt)?.getTime() ?? null),
  };
}
