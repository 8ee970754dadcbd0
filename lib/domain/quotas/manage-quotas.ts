import { recordAudit } from '@/lib/domain/audit';
import { transact, type Context, type TeamContext } from '@/lib/domain/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { QuotasForMembers, TeamQuotas, updateTeamQuotas } from '@/lib/contract/accounts/quotas';
import { quotasOf } from '@/lib/core/quotas/quota';
import { notFound } from '@/lib/core/errors';
import { isAllDefault, quotaColumns, readOwnQuotas, readQuotas, readQuotaUse } from './read-quotas';

/**
 * Quotas of a team: values set by an operator, effective values, and usage.
 * @throws AppError `not_found`
 */
export async function getTeamQuotas(ctx: Context, teamId: string): Promise<TeamQuotas> {
  if ((await ctx.db.team.count({ where: { id: teamId, deletedAt: null } })) === 0) throw notFound();
  const ownQuotas = await readOwnQuotas(ctx, teamId);
  const uses = await readQuotaUse(ctx, teamId);
  return { own: ownQuotas, effective: quotasOf(ownQuotas, ctx.settings.quotas), uses };
}

/** The limits of the caller's team, with their usage. */
export async function getQuotas(ctx: TeamContext): Promise<QuotasForMembers> {
  const { teamId } = ctx.actor;
  const [limits, uses] = await Promise.all([readQuotas(ctx, teamId), readQuotaUse(ctx, teamId)]);
  return { limits, uses };
}

/**
 * Sets limits of a team and keeps the omitted limits.
 * @throws AppError `not_found`
 */
export async function setTeamQuotas(
  ctx: Context,
  teamId: string,
  change: BodyOf<typeof updateTeamQuotas>,
): Promise<TeamQuotas> {
  return transact(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "Team" where "id" = ${teamId}::uuid for no key update`;
    const quotasBefore = await getTeamQuotas(tx, teamId);
    const newQuotas = { ...quotasBefore.own, ...change };
    const columns = quotaColumns(newQuotas);
    if (isAllDefault(newQuotas)) await tx.db.teamQuota.deleteMany({ where: { teamId } });
    else await tx.db.teamQuota.upsert({ where: { teamId }, create: { teamId, ...columns }, update: columns });
    // A change by a signed-in operator goes into the operator's log, a change from the command line into the log of the team.
    const auditTeam = 'teamId' in tx.actor ? {} : { teamId };
    await recordAudit(tx, { action: 'operator.quotas-changed', objectId: teamId, ...auditTeam });
    return getTeamQuotas(tx, teamId);
  });
}
