import { recordAudit } from '@/lib/domain/audit';
import { type AccountContext, type Context, transact, type InTransaction } from '@/lib/domain/context';
import type { TeamMember } from '@/lib/contract/accounts/team';
import { memberRejection, roleRejectionMessage, type TeamRole } from '@/lib/core/access/team-roles';
import { AppError, notFound } from '@/lib/core/errors';
import type { Transaction } from '@/lib/infra/db';
import { notify } from '@/lib/infra/notifications';
import { requireTeamRole } from './require-team-role';

const MAX_MEMBERS = 100;
const MAX_TEAMS = 20;

/**
 * All members of a team, in the order in which they joined.
 * @throws AppError `not_found`, `forbidden` (suspended team)
 */
export async function listMembers(ctx: AccountContext, teamId: string): Promise<TeamMember[]> {
  await requireTeamRole(ctx, teamId);
  const members = await ctx.db.teamMember.findMany({
    where: { teamId, account: { deletedAt: null } },
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    select: { userId: true, role: true, createdAt: true, account: { select: { email: true } } },
  });
  return members.map(({ userId, role, createdAt, account: { email } }) => ({
    userId,
    email,
    role,
    joinedAt: createdAt.getTime(),
  }));
}

/**
 * Adds an account to a team; an existing member keeps their role. Must be called in the transaction that admits the member.
 * @throws AppError `conflict` if the team has 100 members, or the account is in 20 teams
 */
export async function addMember(
  { db, clock }: InTransaction<Context>,
  { teamId, userId, role }: { readonly teamId: string; readonly userId: string; readonly role: TeamRole },
): Promise<void> {
  await lockMembers(db, teamId);
  await db.$queryRaw`select 1 from "Account" where "id" = ${userId}::uuid for no key update`;
  if ((await db.teamMember.count({ where: { teamId, userId } })) > 0) return;
  if ((await db.teamMember.count({ where: { teamId } })) >= MAX_MEMBERS) {
    throw new AppError('conflict', `a team can have ${MAX_MEMBERS} members: remove one first`);
  }
  if ((await db.teamMember.count({ where: { userId } })) >= MAX_TEAMS) {
    throw new AppError('conflict', `a person can be in ${MAX_TEAMS} teams: leave one first`);
  }
  await db.teamMember.create({ data: { teamId, userId, role, createdAt: clock.now() } });
  await notifyOrigins(db, teamId);
}

/** Locks the members until the transaction ends, so that the last two owners cannot leave concurrently. */
async function lockMembers(db: Transaction, teamId: string): Promise<void> {
  await db.$queryRaw`select 1 from "Team" where "id" = ${teamId}::uuid for no key update`;
}

/** Notifies the origins about changed members, because only members watch non-public content in the dashboard. */
const notifyOrigins = (db: Transaction, teamId: string) => notify(db, 'playback_access', `team ${teamId}`);

/**
 * Changes the role of a member.
 * @throws AppError `not_found`, `forbidden`, `conflict` if the member is the last owner, and
 * for the owner of a personal team
 */
export async function changeRole(
  ctx: AccountContext,
  member: { readonly teamId: string; readonly userId: string },
  role: TeamRole,
): Promise<void> {
  await changeMember(ctx, member, role);
}

/**
 * Removes a member, or lets the caller leave.
 * @throws AppError as `changeRole` does
 */
export async function removeMember(
  ctx: AccountContext,
  member: { readonly teamId: string; readonly userId: string },
): Promise<void> {
  await changeMember(ctx, member, null);
}

/** Changes the role of a member, or removes the member if `newRole` is null. */
async function changeMember(
  ctx: AccountContext,
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
  newRole: TeamRole | null,
): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockMembers(tx.db, teamId);
    const actorRole = await requireTeamRole(tx, teamId);
    const where = { teamId_userId: { teamId, userId } };
    const member = await tx.db.teamMember.findUnique({ where });
    if (!member) throw notFound();
    const ownerCount = await tx.db.teamMember.count({
      where: { teamId, role: 'owner', account: { suspended: false } },
    });
    const isSelf = userId === tx.actor.userId;
    const isOwnTeam = teamId === userId;
    const rejection = memberRejection({
      actor: actorRole,
      isSelf,
      previousRole: member.role,
      newRole,
      ownerCount,
      isOwnTeam,
    });
    if (rejection === 'needs_admin')
      throw new AppError('forbidden', roleRejectionMessage(actorRole, 'admin'));
    if (rejection === 'needs_owner')
      throw new AppError('forbidden', roleRejectionMessage(actorRole, 'owner'));
    if (rejection !== null) throw new AppError('conflict', rejectionMessages[rejection]);
    if (newRole === null) {
      await tx.db.teamMember.delete({ where });
      await notifyOrigins(tx.db, teamId);
    } else await tx.db.teamMember.update({ where, data: { role: newRole } });
    await recordAudit(tx, { action: auditActionOf(newRole, isSelf), objectId: userId, teamId });
  });
}

const rejectionMessages = {
  own_team: 'this team came with the account of the member, who stays its owner',
  last_owner: 'a team needs an owner: make another member an owner first',
} as const;

function auditActionOf(newRole: TeamRole | null, isSelf: boolean) {
  if (newRole !== null) return 'team.role-changed';
  return isSelf ? 'team.member-left' : 'team.member-removed';
}
