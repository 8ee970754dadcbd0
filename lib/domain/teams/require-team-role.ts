import type { AccountContext } from '@/lib/domain/context';
import { isAtLeast, roleRejectionMessage, type TeamRole } from '@/lib/core/access/team-roles';
import { AppError, notFound } from '@/lib/core/errors';

/**
 * The caller's role in the team of a path, which may differ from the active team.
 * @throws AppError `not_found` if the caller is no member, `forbidden` for a lower role or a suspended team
 */
export async function requireTeamRole(
  ctx: AccountContext,
  teamId: string,
  minRole: TeamRole = 'viewer',
): Promise<TeamRole> {
  const member = await ctx.db.teamMember.findFirst({
    where: { teamId, userId: ctx.actor.userId, team: { deletedAt: null } },
    select: { role: true, team: { select: { suspended: true } } },
  });
  if (!member) throw notFound();
  if (member.team.suspended) throw new AppError('forbidden', 'the team is suspended');
  if (!isAtLeast(member.role, minRole))
    throw new AppError('forbidden', roleRejectionMessage(member.role, minRole));
  return member.role;
}
