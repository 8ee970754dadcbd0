import type { SystemContext } from '@/lib/domain/context';
import { Prisma, type Session } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';

/**
 * A run that makes the files of a recording. Its writes name the token, so it writes nothing once another run started.
 */
export interface RecordingRun {
  readonly session: Session;
  readonly token: string;
}

/**
 * Starts making the files. Call it in the session's job: an earlier run has ended or lost its job.
 * @returns null if the recording is not due (anymore)
 */
export async function startFinishing(ctx: SystemContext, sessionId: string): Promise<RecordingRun | null> {
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
 * Segments of the session are still being stored: delays its recording by `seconds` and releases its lease, so that
 * they can be stored. Call it in the session's job.
 */
export async function waitForSegments(ctx: SystemContext, sessionId: string, seconds: number): Promise<void> {
  await ctx.db.$executeRaw`
    update "Session" set "recordingLease" = null,
      "recordingDueAt" = greatest("recordingDueAt", now() + ${seconds}::int * interval '1 second')
    where "id" = ${sessionId}::uuid and "recording" = 'processing'`;
}

/** A session that needs a job, now or later. */
export interface PlannedSession {
  readonly sessionId: string;
  readonly delayMs: number;
}

const batch = 1_000;

/** Due time of the job of a session; null while it is live or when its recording is done. */
const dueAt = (windowMs: number) => Prisma.sql`
  case
    when s."state" = 'waiting' then
      coalesce(s."lastSeen", s."createdAt") + ${windowMs + 1}::float8 * interval '1 millisecond'
    when s."recording" = 'processing' then coalesce(s."recordingDueAt", now())
    when s."recording" = 'importing' and exists (
      select 1 from "Asset" a where a."sourceSessionId" = s."id" and a."sourceType" = 'recording'
        and (a."phase" in ('ready', 'failed') or a."deletedAt" is not null)) then now()
  end`;

/**
 * The delay of each session's job: the rest of its reconnect window, or until its recording is due. Sessions without
 * work are left out.
 */
export async function planSessions(ctx: SystemContext, ids: readonly string[]): Promise<PlannedSession[]> {
  return select(ctx, Prisma.sql`s."id" = any(${ids}::uuid[])`);
}

/** All due sessions; each should have a job. */
export async function listDueSessions(ctx: SystemContext): Promise<PlannedSession[]> {
  const unfinishedSession = Prisma.sql`(s."state" = 'waiting' or s."recording" in ('processing', 'importing'))`;
  return (await select(ctx, unfinishedSession)).filter(({ delayMs }) => delayMs === 0);
}

async function select(ctx: SystemContext, where: Prisma.Sql): Promise<PlannedSession[]> {
  const dueAfter = dueAt(ctx.settings.sessionReconnectSeconds * 1_000);
  return ctx.db.$queryRaw<PlannedSession[]>`
    select "id" as "sessionId", greatest(0, ceil(extract(epoch from "at" - now()) * 1000))::float8 as "delayMs"
    from (select s."id", ${dueAfter} as "at" from "Session" s where ${where}) planned
    where "at" is not null order by "at" limit ${batch}`;
}
