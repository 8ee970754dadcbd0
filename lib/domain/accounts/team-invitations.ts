import { recordAudit } from '@/lib/domain/audit';
import { type AccountContext, type Context, transact, type InTransaction } from '@/lib/domain/context';
import type { Team } from '@/lib/contract/accounts/team';
import type { TeamInvitation } from '@/lib/contract/accounts/team-invitation';
import type { TeamRole } from '@/lib/core/access/team-roles';
import { invitationState } from '@/lib/core/accounts/invitation-state';
import { INVITATION_LIFETIME_MS } from '@/lib/core/accounts/link-limits';
import { AppError } from '@/lib/core/errors';
import type { Invitation } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import type { Mailer } from '@/lib/infra/mail/mailer';
import { addMember, getTeam, requireTeamRole } from '@/lib/domain/teams';
import {
  mailInvitation,
  openInvitationFilter,
  revokeOpenInvitation,
  rejectionMessages,
  acceptInvitation,
} from './invitations';
import { readLinkToken, urlOfTeamInvitation } from './links';

/** Maximum number of open invitations, equal to the maximum number of members. */
const MAX_OPEN_INVITATIONS = 100;

/**
 * Invites one person to a team. The link is valid for this address only.
 * @throws AppError `not_found`, `forbidden`, `conflict` for a member or with too many open invitations
 */
export async function inviteToTeam(
  ctx: AccountContext,
  { teamId, email, role }: { readonly teamId: string; readonly email: string; readonly role: TeamRole },
  mailer: Mailer | null,
): Promise<{ invitation: TeamInvitation; url: string; mailed: boolean }> {
  const now = ctx.clock.now();
  const row = await transact(ctx, async (tx) => {
    await requireTeamRole(tx, teamId, role === 'owner' ? 'owner' : 'admin');
    const [memberCount, openCount] = await Promise.all([
      tx.db.teamMember.count({ where: { teamId, account: { email } } }),
      tx.db.invitation.count({ where: { teamId, ...openInvitationFilter(now) } }),
    ]);
    if (memberCount > 0)
      throw new AppError('conflict', { field: 'email', message: `${email} is already a member of the team` });
    if (openCount >= MAX_OPEN_INVITATIONS) {
      throw new AppError(
        'conflict',
        `there are ${MAX_OPEN_INVITATIONS} open invitations: revoke some of them`,
      );
    }
    const expiresAt = new Date(now.getTime() + INVITATION_LIFETIME_MS);
    const newInvitation = await tx.db.invitation.create({
      data: { id: newId(), email, teamId, role, createdAt: now, expiresAt },
    });
    await recordAudit(tx, { action: 'team.invitation-created', objectId: newInvitation.id, teamId });
    return newInvitation;
  });
  const { name } = await getTeam(ctx, teamId);
  const url = urlOfTeamInvitation(ctx, row.id);
  const purpose = `join the team "${name}"`;
  const isMailed = await mailInvitation(ctx, { email, url, purpose }, mailer);
  return { invitation: serialize(row, now), url, mailed: isMailed };
}

function serialize(
  { id, email, role, createdAt, expiresAt, usedAt, revokedAt }: Invitation,
  now: Date,
): TeamInvitation {
  // Address and role are null only in invitations to sign up.
  return {
    id,
    email: email ?? '',
    role: role ?? 'viewer',
    state: invitationState({ expiresAt, usedAt, revokedAt }, now),
    createdAt: createdAt.getTime(),
    expiresAt: expiresAt.getTime(),
  };
}

/**
 * The open invitations of a team, newest first.
 * @throws AppError `not_found`, `forbidden`
 */
export async function listTeamInvitations(ctx: AccountContext, teamId: string): Promise<TeamInvitation[]> {
  await requireTeamRole(ctx, teamId, 'admin');
  const now = ctx.clock.now();
  const rows = await ctx.db.invitation.findMany({
    where: { teamId, ...openInvitationFilter(now) },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: MAX_OPEN_INVITATIONS,
  });
  return rows.map((row) => serialize(row, now));
}

/**
 * Revokes an invitation; its link stops working.
 * @throws AppError `not_found`, `forbidden`, `conflict` if it is no longer open
 */
export async function revokeTeamInvitation(
  ctx: AccountContext,
  { teamId, id }: { readonly teamId: string; readonly id: string },
): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireTeamRole(tx, teamId, 'admin');
    await revokeOpenInvitation(tx, { id, teamId });
    await recordAudit(tx, { action: 'team.invitation-revoked', objectId: id, teamId });
  });
}

/** Details that an invited person sees before joining. */
interface OpenInvitation {
  readonly teamId: string;
  readonly teamName: string;
  readonly email: string;
  readonly role: TeamRole;
  /** Email address of the inviter; null if the account was deleted since. */
  readonly invitedBy: string | null;
}

/** Team and role of an invitation link, for the join page; null if the link is invalid. */
export async function readTeamInvitation(ctx: Context, token: string): Promise<OpenInvitation | null> {
  const row = await findOpenTeamInvitation(ctx, token);
  if (!row?.team || row.teamId === null || row.email === null) return null;
  const { teamId, team, role, email } = row;
  const creationEntry = await ctx.db.auditEntry.findFirst({
    where: { teamId, action: 'team.invitation-created', objectId: row.id },
    select: { userId: true },
  });
  const inviter = creationEntry?.userId
    ? await ctx.db.account.findUnique({ where: { id: creationEntry.userId }, select: { email: true } })
    : null;
  return { teamId, teamName: team.name, email, role: role ?? 'viewer', invitedBy: inviter?.email ?? null };
}

async function findOpenTeamInvitation(ctx: Context, token: string) {
  const id = readLinkToken(ctx, 'invitation', token);
  if (id === null) return null;
  return ctx.db.invitation.findFirst({
    where: {
      id,
      teamId: { not: null },
      team: { suspended: false },
      ...openInvitationFilter(ctx.clock.now()),
    },
    include: { team: { select: { name: true } } },
  });
}

/**
 * Adds the caller to the team of an invitation to their address.
 * @throws AppError `forbidden`, `conflict`
 */
export async function joinTeam(ctx: AccountContext, token: string): Promise<Team> {
  const row = await findOpenTeamInvitation(ctx, token);
  if (!row?.teamId) throw new AppError('forbidden', rejectionMessages.invitation_invalid);
  const { id, teamId } = row;
  const { userId } = ctx.actor;
  const account = await ctx.db.account.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  if (account.email !== row.email) {
    throw new AppError('forbidden', {
      field: 'invitation',
      message: `it is for ${row.email}. Log in with that address.`,
    });
  }
  return transact(ctx, async (tx) => {
    await acceptInvitation(tx, id);
    await joinInvitedTeam(tx, id, userId);
    return getTeam(tx, teamId);
  });
}

/** Adds a person to the team of the invitation that they used. An invitation without a team changes nothing. */
export async function joinInvitedTeam(
  tx: InTransaction<Context>,
  invitationId: string,
  userId: string,
): Promise<void> {
  const { teamId, role } = await tx.db.invitation.findUniqueOrThrow({ where: { id: invitationId } });
  if (teamId === null || role === null) return;
  await addMember(tx, { teamId, userId, role });
  await recordAudit(tx, { action: 'team.member-joined', objectId: userId, teamId });
}
