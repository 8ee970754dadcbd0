import { recordAudit } from '@/lib/domain/audit';
import {
  type AccountContext,
  type Context,
  type SystemContext,
  transact,
  type InTransaction,
} from '@/lib/domain/context';
import type { Team } from '@/lib/contract/accounts/team';
import type { TeamRole } from '@/lib/core/access/team-roles';
import { AppError } from '@/lib/core/errors';
import { newId } from '@/lib/infra/ids';
import { notify } from '@/lib/infra/notifications';
import { requireTeamRole } from './require-team-role';
import { addMember } from './members';

/** Creates a team with its first owner, in the transaction of the caller. */
export async function insertTeam(
  tx: InTransaction<Context>,
  { id, name, ownerId }: { readonly id: string; readonly name: string; readonly ownerId: string },
): Promise<void> {
  await tx.db.team.create({ data: { id, name, createdAt: tx.clock.now() } });
  await addMember(tx, { teamId: id, userId: ownerId, role: 'owner' });
}

/** The teams of the caller, in the order in which they were joined. */
export async function listTeams(ctx: AccountContext): Promise<Team[]> {
  const { userId } = ctx.actor;
  const members = await ctx.db.teamMember.findMany({
    where: { userId, team: { deletedAt: null } },
    orderBy: [{ createdAt: 'asc' }, { teamId: 'asc' }],
    select: { role: true, streamMails: true, team: { select: { id: true, name: true, createdAt: true } } },
  });
  return members.map(({ team, ...member }) => serializeTeam(ctx, team, member));
}

function serializeTeam(
  { actor, settings }: AccountContext,
  { id, name, createdAt }: { readonly id: string; readonly name: string; readonly createdAt: Date },
  { role, streamMails }: { readonly role: TeamRole; readonly streamMails: boolean },
): Team {
  return {
    id,
    name,
    role,
    own: id === actor.userId,
    streamMails: settings.mail ? streamMails : null,
    createdAt: createdAt.getTime(),
  };
}

/** Every team that is not deleted, oldest first, with the email addresses of its owners, for the operator. */
export async function listAllTeams(
  ctx: SystemContext,
): Promise<{ id: string; name: string; suspended: boolean; owners: string[] }[]> {
  const owners = { where: { role: 'owner' as const }, select: { account: { select: { email: true } } } };
  const teams = await ctx.db.team.findMany({
    where: { deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true, suspended: true, members: owners },
  });
  return teams.map(({ members, ...team }) => ({
    ...team,
    owners: members.map(({ account }) => account.email),
  }));
}

/**
 * One team of the caller.
 * @throws AppError `not_found`, `forbidden` (suspended team)
 */
export async function getTeam(ctx: AccountContext, id: string): Promise<Team> {
  await requireTeamRole(ctx, id);
  const { team, ...member } = await ctx.db.teamMember.findUniqueOrThrow({
    where: { teamId_userId: { teamId: id, userId: ctx.actor.userId } },
    select: { role: true, streamMails: true, team: { select: { id: true, name: true, createdAt: true } } },
  });
  return serializeTeam(ctx, team, member);
}

/**
 * Creates a team with the caller as its owner.
 * @throws AppError `conflict` above 20 teams
 */
export async function createTeam(ctx: AccountContext, name: string): Promise<Team> {
  return transact(ctx, async (tx) => {
    const id = newId();
    await insertTeam(tx, { id, name, ownerId: tx.actor.userId });
    await recordAudit(tx, { action: 'team.created', objectId: id, teamId: id });
    return getTeam(tx, id);
  });
}

/** @throws AppError `not_found`, `forbidden` */
export async function renameTeam(ctx: AccountContext, id: string, name: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireTeamRole(tx, id, 'admin');
    await tx.db.team.update({ where: { id }, data: { name } });
    await recordAudit(tx, { action: 'team.renamed', objectId: id, teamId: id });
  });
}

/**
 * Sets whether the caller gets mails about live streams of the team.
 * @throws AppError `not_found`, `forbidden`
 */
export async function setStreamMails(ctx: AccountContext, id: string, streamMails: boolean): Promise<void> {
  await requireTeamRole(ctx, id);
  await ctx.db.teamMember.updateMany({
    where: { teamId: id, userId: ctx.actor.userId },
    data: { streamMails },
  });
}

/**
 * Deletes a team: its streams, playback and keys stop immediately, and `expireDeletedTeams` deletes the data.
 * @throws AppError `not_found`, `forbidden`, `conflict` for a personal team
 */
export async function deleteTeam(ctx: AccountContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireTeamRole(tx, id, 'owner');
    if ((await tx.db.account.count({ where: { id } })) > 0) {
      throw new AppError('conflict', 'this team came with an account, and is deleted with the account');
    }
    await tx.db.team.update({ where: { id }, data: { suspended: true, deletedAt: tx.clock.now() } });
    await recordAudit(tx, { action: 'team.deleted', objectId: id, teamId: id });
    await notify(tx.db, 'playback_access', `team ${id}`);
  });
}
