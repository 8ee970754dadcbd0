import { recordAudit } from '@/lib/domain/audit';
import { transact, type AccountContext, type Context } from '@/lib/domain/context';
import type { BrowserSession } from '@/lib/contract/accounts/browser-session';
import { SESSION_IDLE_SECONDS } from '@/lib/core/accounts/sign-in-session-limits';
import { notFound } from '@/lib/core/errors';
import { openSharedCountryDatabase } from '@/lib/infra/geoip/shared-country-database';
import type { SessionClaim } from './browser-sessions';

/** A sign-in session with the times in its cookie. */
export interface DatedSession extends SessionClaim {
  readonly signedInAt: Date;
  readonly endsAt: Date;
}

const MAX_USER_AGENT_LENGTH = 300;
/** Maximum sessions listed per account. Sign-in limits and the session lifetime keep the real number lower. */
const MAX_LISTED_SESSIONS = 100;
/** Maximum ended sessions that are excluded from the list; a session has no other row once it has ended. */
const MAX_ENDED_SESSIONS = 1_000;

/** Records that a browser signed in or renewed its cookie, unless the session has ended. */
export async function recordSession(ctx: Context, session: DatedSession): Promise<void> {
  const { actor } = ctx;
  // The service itself has no browser.
  if (actor.kind === 'system') return;
  const { sessionId, userId, sessionVersion, signedInAt, endsAt } = session;
  const ip = actor.ip ?? null;
  const userAgent = actor.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
  await ctx.db.$executeRaw`
    insert into "BrowserSession"
      ("id", "userId", "sessionVersion", "signedInAt", "lastUsedAt", "endsAt", "ip", "userAgent")
    select ${sessionId}::uuid, "id", "sessionVersion", ${signedInAt}::timestamptz, ${ctx.clock.now()}::timestamptz,
      ${endsAt}::timestamptz, ${ip}, ${userAgent}
    from "Account" where "id" = ${userId}::uuid and "sessionVersion" = ${sessionVersion}::int
      and not exists (select 1 from "EndedBrowserSession" where "id" = ${sessionId}::uuid)
    on conflict ("id") do update set "sessionVersion" = excluded."sessionVersion",
      "lastUsedAt" = excluded."lastUsedAt", "ip" = excluded."ip", "userAgent" = excluded."userAgent"`;
}

/** The browsers in which the account is signed in, most recently used first. */
export async function listBrowserSessions(ctx: AccountContext): Promise<BrowserSession[]> {
  const { geoipDb } = ctx.settings;
  const countries = geoipDb === undefined ? null : openSharedCountryDatabase(geoipDb, ctx.log);
  const rows = await ctx.db.browserSession.findMany({
    where: await activeSessionsFilter(ctx),
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'asc' }],
    take: MAX_LISTED_SESSIONS,
  });
  return rows.map(({ id, ip, userAgent, signedInAt, lastUsedAt }) => ({
    id,
    ip,
    userAgent,
    current: id === ctx.actor.sessionId,
    country: (ip !== null && countries?.countryOf(ip)) || null,
    signedInAt: signedInAt.getTime(),
    lastUsedAt: lastUsedAt.getTime(),
  }));
}

/** Prisma `where` object for the actor's sign-in sessions whose cookie still works. */
async function activeSessionsFilter({ db, clock, actor: { userId } }: AccountContext) {
  const [{ sessionVersion }, endedSessions] = await Promise.all([
    db.account.findUniqueOrThrow({ where: { id: userId }, select: { sessionVersion: true } }),
    db.endedBrowserSession.findMany({ where: { userId }, select: { id: true }, take: MAX_ENDED_SESSIONS }),
  ]);
  const now = clock.now();
  return {
    userId,
    sessionVersion,
    id: { notIn: endedSessions.map(({ id }) => id) },
    endsAt: { gt: now },
    lastUsedAt: { gt: new Date(now.getTime() - SESSION_IDLE_SECONDS * 1000) },
  };
}

/**
 * Logs the account out in one browser.
 * @throws AppError `not_found`, including for a session of another account
 */
export async function endBrowserSession(ctx: AccountContext, id: string): Promise<void> {
  const { userId } = ctx.actor;
  await transact(ctx, async (tx) => {
    // Of concurrent callers, one ends the session.
    const [row] = await tx.db.$queryRaw<{ endsAt: Date }[]>`
      delete from "BrowserSession" where "id" = ${id}::uuid and "userId" = ${userId}::uuid returning "endsAt"`;
    if (!row) throw notFound();
    await tx.db.endedBrowserSession.createMany({
      data: [{ id, userId, endsAt: row.endsAt }],
      skipDuplicates: true,
    });
    await recordAudit(tx, { action: 'account.session-ended', objectId: id, userId });
  });
}
