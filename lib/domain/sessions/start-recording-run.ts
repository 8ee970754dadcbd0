import type { SystemContext } from '@/lib/domain/context';
import { Prisma, type Session } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';

/**
 * A run that makes the files of a recording. All its writes require its token, so that it cannot write once another run has
 * started.
 */
export interface RecordingRun {
  readonly session: Session;
  readonly token: string;
}

/**
 * Starts a run for a recording. Must be called in the session's job, which guarantees that the previous run has ended or
 * lost its job.
 * @returns null if the recording is not or no longer due
 */
export async function startRecordingRun(ctx: SystemContext, sessionId: string): Promise<RecordingRun | null> {
  const token = newId();
  const changedCount = await ctx.db.$executeRaw`
    update "Session" set
      "recordingLease" = ${token}::uuid, "recordingAttempts" = "recordingAttempts" + 1, "recordingDueAt" = null
    where "id" = ${sessionId}::uuid and "recording" = 'processing'
      and ("recordingDueAt" is null or "recordingDueAt" <= now())`;
  if (changedCount === 0) return null;
  const session = await ctx.db.session.findFirst({ where: { id: sessionId, recordingLease: token } });
  return session && { session, token };
}

/**
 * Delays a recording by `seconds` because segments of its session are still being stored, and releases the lease so that
 * they can be stored. Must be called in the session's job.
 */
export async function delayForSegments(
  ctx: SystemContext,
  sessionId: string,
  seconds: number,
): Promise<void> {
  await ctx.db.$executeRaw`
    update "Session" set "recordingLease" = null,
      "recordingDueAt" = greatest("recordingDueAt", now() + ${seconds}::int * interval '1 second')
    where "id" = ${sessionId}::uuid and "recording" = 'processing'`;
}

/** A session that needs a job, and its delay. */
export interface PlannedSession {
  readonly sessionId: string;
  readonly delayMs: number;
}

const MAX_ROWS = 1_000;

/**
 * SQL expression for the due time of a session's job; null while the session is live, and after its recording is complete or
 * failed. The job at the end of the reconnect window runs a millisecond later, so that it finds the window over.
 */
const dueTimeSql = (windowMs: number) => Prisma.sql`
  case
    when s."state" = 'waiting' then
      coalesce(s."lastSeen", s."createdAt") + ${windowMs + 1}::float8 * interval '1 millisecond'
    when s."recording" = 'processing' then coalesce(s."recordingDueAt", now())
    when s."recording" = 'importing' and exists (
      select 1 from "Asset" a where a."sourceSessionId" = s."id" and a."sourceType" = 'recording'
        and (a."phase" in ('ready', 'failed') or a."deletedAt" is not null)) then now()
  end`;

/**
 * Lists the sessions among `ids` that need a job, each with its delay: the rest of its reconnect window, or the time until
 * its recording is due.
 */
export async function planSessions(ctx: SystemContext, ids: readonly string[]): Promise<PlannedSession[]> {
  return queryPlannedSessions(ctx, Prisma.sql`s."id" = any(${ids}::uuid[])`);
}

/** Lists the due sessions among up to 1,000 planned ones. Each needs a job. */
export async function listDueSessions(ctx: SystemContext): Promise<PlannedSession[]> {
  const unfinishedSession = Prisma.sql`(s."state" = 'waiting' or s."recording" in ('processing', 'importing'))`;
  return (await queryPlannedSessions(ctx, unfinishedSession)).filter(({ delayMs }) => delayMs === 0);
}

async function queryPlannedSessions(ctx: SystemContext, where: Prisma.Sql): Promise<PlannedSession[]> {
  const dueAfter = dueTimeSql(ctx.settings.sessionReconnectSeconds * 1_000);
  return ctx.db.$queryRaw<PlannedSession[]>`
    select "id" as "sessionId", greatest(0, ceil(extract(epoch from "at" - now()) * 1000))::float8 as "delayMs"
    from (select s."id", ${dueAfter} as "at" from "Session" s where ${where}) planned
    where "at" is not null order by "at" limit ${MAX_ROWS}`;
}
