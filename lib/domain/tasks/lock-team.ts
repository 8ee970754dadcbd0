import type { InTransaction, TeamContext } from '@/lib/domain/context';

/**
 * Locks a team until the transaction ends, so that transactions that create tasks for it run one after the other. Counts that
 * are read after this call stay correct. Other writes of the team are not blocked.
 */
export async function lockTeam(tx: InTransaction<TeamContext>): Promise<void> {
  await tx.db.$queryRaw`select 1 from "Team" where "id" = ${tx.actor.teamId}::uuid for no key update`;
}
