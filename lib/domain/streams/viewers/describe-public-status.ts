import type { Context } from '@/lib/domain/context';
import { publicStatusOf, type PublicStatus } from '@/lib/core/streams/public-status';
import { scheduleStateOf } from '@/lib/core/streams/schedule';
import type { Stream } from '@/lib/generated/prisma/client';
import { findRecordedSession } from '@/lib/domain/sessions';

/**
 * Public status of the stream with this playback id. Omits the name and the owner of a suspended or deleted stream. Rows of
 * deleted streams are kept until their team is deleted.
 * @returns null for any other id
 */
export async function describePublicStatus(ctx: Context, playbackId: string): Promise<PublicStatus | null> {
  const stream = await ctx.db.stream.findFirst({
    where: { playbackId, parentId: null },
    select: {
      id: true,
      deletedAt: true,
      suspended: true,
      isActive: true,
      liveNodeId: true,
      previewPlaybackId: true,
      startsAt: true,
      lastSeen: true,
      team: { select: { suspended: true } },
    },
  });
  if (!stream) return null;
  const facts = {
    deleted: stream.deletedAt !== null,
    suspended: stream.suspended || stream.team.suspended,
    isActive: stream.isActive,
    publishing: stream.liveNodeId !== null && stream.previewPlaybackId === null,
    lastSession: null,
    startsAt: announcedStartOf(stream, ctx.clock.now()),
  };
  const publicStatus = publicStatusOf(facts);
  return publicStatus.state === 'idle'
    ? publicStatusOf({ ...facts, lastSession: await findLastSession(ctx, stream.id) })
    : publicStatus;
}

/** Announced start in Unix milliseconds; null without one, and once it is over or the session has begun. */
function announcedStartOf(
  { startsAt, lastSeen, isActive }: Pick<Stream, 'startsAt' | 'lastSeen' | 'isActive'>,
  now: Date,
): number | null {
  const startsAtMs = startsAt?.getTime() ?? null;
  const state = scheduleStateOf(
    { startsAt: startsAtMs, lastSeen: lastSeen?.getTime() ?? null, isActive },
    now.getTime(),
  );
  return state === null ? null : startsAtMs;
}

/** The last session with media, and the id of its recording if it can be played. */
async function findLastSession(ctx: Context, parentId: string) {
  const session = await ctx.db.session.findFirst({
    where: { parentId, sourceSegments: { gt: 0 } },
    orderBy: [{ listedAt: 'desc' }, { createdAt: 'desc' }],
    select: { id: true, listedAt: true },
  });
  if (!session) return null;
  const recording = await findRecordedSession(ctx, session.id);
  return { endedAt: session.listedAt.getTime(), recordingId: recording?.id ?? null };
}
