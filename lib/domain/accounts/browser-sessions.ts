import { recordAudit } from '@/lib/domain/audit';
import { transact, type AccountContext, type Context, type SystemContext } from '@/lib/domain/context';
import type { TeamRole } from '@/lib/core/access/team-roles';
import { deleteInBatches } from '@/lib/infra/db';

/** Contents of the cookie of a sign-in session. */
export interface SessionClaim {
  readonly userId: string;
  /** Id created at sign-in and kept when the cookie is renewed. */
  readonly sessionId: string;
  /** Version of the account's sessions at sign-in. Sessions with an older version than the account's are logged out. */
  readonly sessionVersion: number;
}

interface SessionAccount {
  readonly id: string;
  readonly email: string;
  readonly suspended: boolean;
  /** The requested team; null unless the account is a member. */
  readonly team: SessionTeam | null;
}

interface SessionTeam {
  readonly id: string;
  readonly name: string;
  readonly role: TeamRole;
  readonly suspended: boolean;
}

/**
 * The account of a sign-in session and its role in a team. Uses one statement with four reads by primary key.
 * @param teamId the requested team; by default the personal team, which has the id of the account
 * @returns null if the account was deleted, or the session was logged out, alone or with all sessions of the account
 */
export async function resumeSession(
  ctx: Context,
  claim: SessionClaim,
  teamId: string = claim.userId,
): Promise<SessionAccount | null> {
  const { userId, sessionId, sessionVersion } = claim;
  const [account = null] = await ctx.db.$queryRaw<SessionAccount[]>`
    select a."id", a."email", a."suspended", case when t."id" is not null then
        jsonb_build_object('id', t."id", 'name', t."name", 'role', m."role", 'suspended', t."suspended") end as "team"
    from "Account" a
    left join "TeamMember" m on m."userId" = a."id" and m."teamId" = ${teamId}::uuid
    left join "Team" t on t."id" = m."teamId"
    where a."id" = ${userId}::uuid and a."sessionVersion" = ${sessionVersion}::int
      and not exists (select 1 from "EndedBrowserSession" where "id" = ${sessionId}::uuid)`;
  return account;
}

/**
 * Logs out one sign-in session: every copy of its cookie is rejected from the next request on. Other sessions continue.
 *
 * The row in `BrowserSession` only shows the session to its owner, and can be missing for a valid cookie. The row in
 * `EndedBrowserSession` is what rejects the cookie, until it would have expired.
 * @param expiresAt when the cookie expires
 */
export async function endSession(ctx: Context, claim: SessionClaim, expiresAt: Date): Promise<void> {
  const { userId, sessionId } = claim;
  await transact(ctx, async (tx) => {
    const endedCount = await tx.db.$executeRaw`
      insert into "EndedBrowserSession" ("id", "userId", "endsAt")
      select ${sessionId}::uuid, "id", ${expiresAt}::timestamptz from "Account"
      where "id" = ${userId}::uuid and "sessionVersion" = ${claim.sessionVersion}::int
      on conflict do nothing`;
    await tx.db.browserSession.deleteMany({ where: { id: sessionId, userId } });
    if (endedCount > 0) await recordAudit(tx, { action: 'account.signed-out', objectId: userId, userId });
  });
}

/** "Log out everywhere": rejects every sign-in session of the account from the next request on. */
export async function endAllSessions(ctx: AccountContext): Promise<void> {
  const { userId } = ctx.actor;
  await transact(ctx, async (tx) => {
    await tx.db.account.update({ where: { id: userId }, data: { sessionVersion: { increment: 1 } } });
    await recordAudit(tx, { action: 'account.sessions-ended', objectId: userId, userId });
  });
}

/**
 * Deletes the rows of sign-in sessions whose cookie has expired, logged out or not.
 * @returns the number of deleted rows
 */
export async function deleteExpiredSessions({ db, clock }: SystemContext): Promise<number> {
  const expiredCount = await deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "BrowserSession" where "id" in (
        select "id" from "BrowserSession" where "endsAt" < ${clock.now()} limit ${limit})`,
  );
  const endedCount = await deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "EndedBrowserSession" where ctid in (
        select ctid from "EndedBrowserSession" where "endsAt" < ${clock.now()} limit ${limit})`,
  );
  return expiredCount + endedCount;
}
