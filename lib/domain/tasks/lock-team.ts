import type { InTransaction, TeamContext } from '@/lib/domain/context';

/**
 * Serializes the creation of tasks per team until this transaction ends, so that counts read after this call stay correct.
 * Other writes of the team are not blocked.
 */
export async function lockTeam(tx: InTransaction<TeamContext>): Promise<void> {
  await tx.db.$queryRaw`select 1 from "Team" where "id" = ${tx.actor.teamId}::uuid for no key update`;
}
