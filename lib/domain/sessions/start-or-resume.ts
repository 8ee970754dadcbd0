import { inheritedPolicy } from '@/lib/domain/access';
import type { SystemContext, InTransaction } from '@/lib/domain/context';
import { Prisma, type Stream } from '@/lib/generated/prisma/client';
import { nextSessionState, sessionMachine } from '@/lib/core/sessions/session-state';
import { createChildStream } from './child-stream';
import { endReplacedSession } from './end-session';
import { isHeldBySlate, type ProgramReport } from '@/lib/core/streams/program-state';
import { readDatabaseTime } from '@/lib/infra/db';
import { factsOf } from './internal';
import { findStorageRejection } from '@/lib/domain/quotas';

/**
 * Finds or creates the session of a new publish: the last session while its reconnect window is open, otherwise a new one
 * with the current configuration of the stream. Must run in the transaction that has updated the row of the stream, whose
 * lock serializes the publishes of a stream.
 * @param runningSessionId session that is running on the node of the stream. It is resumed even if its stored last media is
 * old, because the time of the last media is stored only every few seconds.
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
  runningSessionId?: string,
): Promise<{ sessionId: string; resumed: boolean; startedAt: Date }> {
  const now = await readDatabaseTime(ctx.db);
  const lastSession = await ctx.db.session.findFirst({
    where: {
      parentId: stream.id,
      teamId: stream.teamId,
      state: { in: sessionMachine.statesBefore('published') },
    },
    orderBy: { createdAt: 'desc' },
  });
  if (lastSession) {
    const windowMs = ctx.settings.sessionReconnectSeconds * 1_000;
    const nowMs = now.getTime();
    // The slate counts as media, so that the session continues while it is on air.
    const isRunning = lastSession.id === runningSessionId || isSlateOnAir(stream, nowMs, windowMs);
    const lastMediaAt = isRunning ? nowMs : factsOf(lastSession).lastMediaAt;
    const nextState = nextSessionState(
      { ...factsOf(lastSession), lastMediaAt },
      { type: 'published', at: nowMs },
      windowMs,
    );
    // Both updates are conditional on the state, because a sweep may have ended the session since the read.
    if (nextState !== null) {
      const { count } = await ctx.db.session.updateMany({
        where: { id: lastSession.id, state: { in: sessionMachine.statesBefore('published') } },
        data: { state: nextState },
      });
      if (count > 0) return { sessionId: lastSession.id, resumed: true, startedAt: lastSession.createdAt };
    }
    await endReplacedSession(ctx, lastSession, now);
  }
  return createSession(ctx, stream, now);
}

function isSlateOnAir(
  { program, slateSeconds }: Pick<Stream, 'program' | 'slateSeconds'>,
  nowMs: number,
  windowMs: number,
): boolean {
  const slateMs = slateSeconds === null ? windowMs : slateSeconds * 1_000;
  return isHeldBySlate(program as unknown as ProgramReport | null, nowMs, slateMs);
}

async function createSession(
  ctx: Parameters<typeof startOrResumeSession>[0],
  stream: Parameters<typeof startOrResumeSession>[1],
  now: Date,
): ReturnType<typeof startOrResumeSession> {
  const rejection = stream.record ? await findStorageRejection(ctx, stream.teamId) : null;
  const session = await ctx.db.session.create({
    data: {
      teamId: stream.teamId,
      parentId: stream.id,
      name: stream.name,
      playbackId: stream.playbackId,
      profiles: stream.profiles ?? [],
      record: stream.record && !rejection,
      recordingError: rejection && `The session is not recorded. ${rejection.message}`,
      recordingSpec: stream.record && !rejection ? (stream.recordingSpec ?? Prisma.DbNull) : Prisma.DbNull,
      ...inheritedPolicy(stream),
      createdAt: now,
    },
  });
  // The stream is already active if it is taken over from a node that died.
  await createChildStream(ctx, session, stream.isActive);
  return { sessionId: session.id, resumed: false, startedAt: now };
}
