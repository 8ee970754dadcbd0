import type { SystemContext, InTransaction } from '@/lib/domain/context';
import { Prisma, type Session } from '@/lib/generated/prisma/client';
import { newPlaybackId } from '@/lib/infra/ids';

/**
 * The historic child-session stream object of a new session: same id, the session's
 * configuration, its own playback id and no stream key, so it can't be published to.
 */
export async function createChildStream(
  tx: InTransaction<SystemContext>,
  session: Session,
  isActive: boolean,
): Promise<void> {
  await tx.db.stream.create({
    data: {
      id: session.id,
      teamId: session.teamId,
      parentId: session.parentId,
      name: session.name,
      playbackId: newPlaybackId(),
      profiles: session.profiles ?? [],
      record: session.record,
      recordingSpec: session.recordingSpec ?? Prisma.DbNull,
      playbackPolicy: session.playbackPolicy ?? Prisma.DbNull,
      isActive,
      createdAt: session.createdAt,
    },
  });
}

/** The parent became active, and with it the child object of its live session. */
export async function activateSession(tx: InTransaction<SystemContext>, streamId: string): Promise<void> {
  const session = await tx.db.session.findFirst({
    where: { parentId: streamId, state: 'live' },
    select: { id: true },
    orderBy: { createdAt: 'desc' },
  });
  if (session) await tx.db.stream.updateMany({ where: { id: session.id }, data: { isActive: true } });
}

/** No session of this parent is live: no child object is active. */
export async function idleChildStreams(ctx: SystemContext, streamId: string): Promise<void> {
  await ctx.db.stream.updateMany({
    where: { parentId: streamId, isActive: true },
    data: { isActive: false },
  });
}
