import type { SystemContext, InTransaction } from '@/lib/domain/context';
import { Prisma, type Session } from '@/lib/generated/prisma/client';
import { newPlaybackId } from '@/lib/infra/ids';

/**
 * Creates the child stream of a new session, because clients of the Livepeer Studio API read a session as a stream with a
 * `parentId`. It has the id and configuration of the session, its own playback id and no stream key, so that it cannot be
 * published to.
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

/** Marks the child stream of the live session of an active stream as active. */
export async function activateChildStream(tx: InTransaction<SystemContext>, streamId: string): Promise<void> {
  const session = await tx.db.session.findFirst({
    where: { parentId: streamId, state: 'live' },
    select: { id: true },
    orderBy: { createdAt: 'desc' },
  });
  if (session) await tx.db.stream.updateMany({ where: { id: session.id }, data: { isActive: true } });
}

/** Marks the child streams of a stream without a live session as idle. */
export async function markChildStreamsIdle(ctx: SystemContext, streamId: string): Promise<void> {
  await ctx.db.stream.updateMany({
    where: { parentId: streamId, isActive: true },
    data: { isActive: false },
  });
}
