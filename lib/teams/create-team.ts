import type { Context } from '@/lib/context';
import type { Transaction } from '@/lib/infra/db';

/** Adds a team with its first owner. Call it in the transaction that decides about it. */
export async function insertTeam(
  tx: Context & { readonly db: Transaction },
  { id, name, ownerId }: { readonly id: string; readonly name: string; readonly ownerId: string },
): Promise<void> {
  const createdAt = tx.clock.now();
  await tx.db.team.create({
    data: { id, name, createdAt, members: { create: { userId: ownerId, role: 'owner', createdAt } } },
  });
}
