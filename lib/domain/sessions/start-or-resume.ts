import { inheritedPolicy } from '@/lib/domain/access';
import type { SystemContext, InTransaction } from '@/lib/domain/context';
import { Prisma, type Stream } from '@/lib/generated/prisma/client';
import { nextSessionState, sessionMachine } from '@/lib/core/sessions/session-state';
import { createChildStream } from './child-stream';
import { endReplacedSession } from './end-session';
import { isHeldBySlate, type ProgramReport } from '@/lib/core/streams/program-state';
import { databaseNow } from '@/lib/infra/db';
import { factsOf } from './internal';
import { storageRefusal } from '@/lib/domain/quotas';

/**
 * The session of a new publish: the last session while its reconnect window is open, otherwise a new one with the stream's
 * current configuration. Must run in the transaction that has updated the stream's row, whose lock serializes the
 * publishes of a stream.
 */
export async function startOrResumeSession(
  ctx: InTransaction<SystemContext>,
  stream: Pick<
    Stream,
    | 'id'
    | 'teamId'
    | 'name'
    | 'playbackId'
    | 'profiles'
    | 'record'
    | 'recordingSpec'
    | 'isActive'
    | 'playbackPolicy'
    | 'playbackPasswordHash'
    | 'program'
    | 'slateSeconds'
  >,
): Promise<{ sessionId: string; resumed: boolean; startedAt: Date }> {
  const now = await databaseNow(ctx.db);
  const last = await ctx.db.session.findFirst({
    where: { parentId: stream.id, teamId: stream.teamId, state: { in: sessionMachine.before('published') } },
    orderBy: { createdAt: 'desc' },
  });
  if (last) {
    const windowMs = ctx.settings.sessionReconnectSeconds * 1_000;
    const at = now.getTime();
    // The slate counts as media, so that the session continues while it is on air.
    const lastMediaAt = isSlateOnAir(stream, at, windowMs) ? at : factsOf(last).lastMediaAt;
    const next = nextSessionState({ ...factsOf(last), lastMediaAt }, { type: 'published', at }, windowMs);
    // Both updates are conditional on the state, because a sweep may have ended the session since the read.
    if (next !== null) {
      const { count } = await ctx.db.session.updateMany({
        where: { id: last.id, state: { in: sessionMachine.before('published') } },
        data: { state: next },
      });
      if (count > 0) return { sessionId: last.id, resumed: true, startedAt: last.createdAt };
    }
    await endReplacedSession(ctx, last, now);
  }
  return create(ctx, stream, now);
}

function isSlateOnAir(
  { program, slateSeconds }: Pick<Stream, 'program' | 'slateSeconds'>,
  at: number,
  windowMs: number,
): boolean {
  const slateMs = slateSeconds === null ? windowMs : slateSeconds * 1_000;
  return isHeldBySlate(program as unknown as ProgramReport | null, at, slateMs);
}

async function create(
  ctx: Parameters<typeof startOrResumeSession>[0],
  stream: Parameters<typeof startOrResumeSession>[1],
  now: Date,
): ReturnType<typeof startOrResumeSession> {
  const refusal = stream.record ? await storageRefusal(ctx, stream.teamId) : null;
  const session = await ctx.db.session.create({
    data: {
      teamId: stream.teamId,
      parentId: stream.id,
      name: stream.name,
      playbackId: stream.playbackId,
      profiles: stream.profiles ?? [],
      record: stream.record && !refusal,
      recordingError: refusal && `The session is not recorded. ${refusal.message}`,
      recordingSpec: stream.record && !refusal ? (stream.recordingSpec ?? Prisma.DbNull) : Prisma.DbNull,
      ...inheritedPolicy(stream),
      createdAt: now,
    },
  });
  // The stream is already active if it is taken over from a node that died.
  await createChildStream(ctx, session, stream.isActive);
  return { sessionId: session.id, resumed: false, startedAt: now };
}
